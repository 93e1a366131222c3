"""A wiki whose site has a page of every kind, each with all that such a page may show."""

from __future__ import annotations

import json
from typing import Any

PIXEL = '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20"><rect width="40" height="20"/></svg>'
EVERYTHING = """---
title: Vector DB
aliases: [vector store]
summary: Keeps vectors, and finds those that lie near.
tags: [retrieval, storage]
sources:
  - {id: paper, resource: raw/paper.pdf, locator: "pp. 3-7 › Stores"}
  - {id: web, resource: "https://example.org/stores"}
source_authority: paper
confidence: 0.85
ingested_at: 2026-04-02
last_verified_at: 2026-05-02
generated: {by: citewiki/0.1.0+extractive, at: 2026-04-02}
---
# Vector DB

Keeps vectors, as [[RAG]] needs them; see [[Old Store]], [[Nobody]] and [the web](https://x.example/).[^paper.1]
Neighbours are found by ==distance==, with `O(log n)` steps.[^paper.2] ^near

## Tuning *the* store

| kind | links | cost |
|---|---|---:|
| [[RAG\\|the reader]] | many | 12 |
| [[Đường phố]] | few | 3 |

!!! note "Before you start"
    An admonition with [a link](#scripts-检索-增强).

> [!warning]- Folded
> A callout with [[Nobody|a missing page]].

```python
def near(vector: list[float], count: int = 10) -> list[str]:
    return [key for key, other in sorted(store.items())][:count]  # a long line that has to scroll on a phone
```

- [x] done
- [ ] not yet

1. One
2. Two

Inline $a^2 + b^2$, and as a block:

$$\\sum_{i=1}^{n} w_i x_i$$

```mermaid
graph LR
  A --> B
```

![A box|80](box.svg)

![[RAG#Steps]]

## Scripts 检索 增强

多智能体系统通过向量检索找到页面。Những con đường ở Hà Nội.

### Deeper

Term
:   What a [[RAG|reader]] means by it.

averylongwordwithoutanyplacetobreakitsuchasanaddressorakeythatsomebodypastedintothepage0123456789abcdef

[^paper.1]: raw/paper.pdf, p. 4: "Keeps vectors, as RAG needs them"
[^paper.2]: raw/paper.pdf, p. 5: "found by distance"
"""


def _source(id: str, *sections: dict[str, Any]) -> str:
    record = {
        "id": id, "path": f"raw/{id}.pdf", "title": f"The {id}", "origin": f"{id}.pdf",
        "media_type": "application/pdf", "fetched_at": "2026-04-01T00:00:00Z",
        "sections": list(sections),
    }  # fmt: skip
    return json.dumps(record)


def _section(title: str, *pages: str, status: str = "compiled") -> dict[str, Any]:
    return {
        "id": title.lower(), "title": title, "locator": f"§ {title}", "status": status,
        "reason": "" if pages else "nothing readable", "pages": list(pages),
    }  # fmt: skip


FILES = {
    "raw/manifest.jsonl": (
        _source("paper", _section("Stores", "vector-db"), _section("Scan", status="no_text"))
        + "\n" + _source("book", _section("Reading", "rag")) + "\n"
    ),
    "wiki/ml/vector-db.md": EVERYTHING,
    "wiki/ml/box.svg": PIXEL,
    "wiki/ml/rag.md": (
        "---\ntitle: RAG\nsummary: Fetch, then write.\ntags: [retrieval]\nconfidence: 0.4\n"
        "ingested_at: 2026-03-01\nlast_verified_at: 2020-01-01\n"
        "sources:\n  - {id: book, resource: raw/book.pdf}\n---\n"
        "Uses a [[Vector DB]], at [[Vector DB#Tuning the store|its best]] and [[Vector DB#^near|near]]. A vector store helps.\n\n"
        "## Steps\n\nFetch. Write. Cite.\n"
    ),
    "wiki/ml/old.md": (
        "---\ntitle: Old Store\nsuperseded_by: vector-db\nsuperseded_at: 2026-04-02\n"
        "ingested_at: 2026-01-02\nvalid_until: 2026-04-02\n---\nKept things. See [[Vector DB]].\n"
    ),
    "wiki/time/one.md": "# Retention\n\nThe retention period of archived pages is 90 days.\n",
    "wiki/time/two.md": "# Cleaning\n\nThe retention period of archived pages is 180 days.\n",
    "wiki/vi/duong-pho.md": (
        "---\ntitle: Đường phố\ntags: [thành phố]\n---\nNhững con đường ở Hà Nội có nhiều cây."
        " Người ta đi bộ trên các con đường này.\n\n## Cây xanh\n\nHàng cây xanh hai bên đường.\n"
    ),
    "wiki/zh/shuju.md": (
        "---\ntitle: 数据库\ntags: [存储]\n---\n数据库把数据写到磁盘上，以后可以读出来。*强调*\n\n"
        "## 索引\n\n索引让查询更快。参见[[Vector DB]]。\n"
    ),
    "wiki/loose.md": "# Loose\n\nIn no domain, and nobody links here.\n",
    "wiki/log.md": (
        "# Log\n\n- 2026-04-02T00:00:00Z · bob · superseded “Old Store” (old) by “Vector DB” (vector-db)\n"
    ),
}  # fmt: skip

KINDS = {
    "home": "",
    "a page with everything": "ml/vector-db/",
    "a stale page": "ml/rag/",
    "a superseded page": "ml/old/",
    "a page that disagrees": "time/one/",
    "a Vietnamese page": "vi/duong-pho/",
    "a Chinese page": "zh/shuju/",
    "a domain": "domains/ml/",
    "domains": "domains/",
    "tags": "tags/",
    "timeline": "timeline/",
    "sources": "sources/",
    "coverage": "coverage/",
    "disagreements": "disagreements/",
    "log": "log/",
    "graph": "graph/",
    "ask": "ask/",
    "an answer": "ask/?question=What does a vector DB keep?",
    "not found": "ml/vectordb/",
}
"""Kinds of page, and an address of each in the site of `FILES`."""
