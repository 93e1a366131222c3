/* The search box's worker, in place of mkdocs-material's: it speaks the same four messages.

   Words are looked up in the text itself, folded (case, width, Latin accents), so that any run of
   Han or Kana and any beginning of a word is found, and unaccented words find accented ones.
   Pages that hold every word come first, by BM25 (Robertson & Zaragoza 2009) over titles, tags
   and texts; an exact spelling goes before a folded one. */
"use strict";

const SETUP = 0, READY = 1, QUERY = 2, RESULT = 3;
const WEIGHT = { title: 6, tags: 4, text: 1 }; // of one occurrence
const K1 = 1.2, B = 0.6;
const MOST = 60; // pages in one result
const SNIPPET = 220; // characters shown of a passage
const UNSPACED = "\\p{sc=Han}\\p{sc=Hiragana}\\p{sc=Katakana}\\p{sc=Thai}\\p{sc=Lao}\\p{sc=Khmer}";
const WORDS = new RegExp(`[${UNSPACED}]+|(?:(?![${UNSPACED}])[\\p{L}\\p{N}\\p{M}_])+`, "gu");
const RUN = new RegExp(`^[${UNSPACED}]`, "u");
const LETTER = /[\p{L}\p{N}]/u;

let docs = [];
let meanLength = 1;

const lower = (text) => text.normalize("NFKC").toLowerCase();
const fold = (text) =>
  lower(text).normalize("NFD").replace(/(\p{sc=Latin})\p{M}+/gu, "$1").replace(/đ/g, "d").normalize("NFC");
const unescape = (html) => html.replace(/&lt;/g, "<").replace(/&gt;/g, ">").replace(/&amp;/g, "&");
const escape = (text) => text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");

function setup(index) {
  docs = index.docs.map((entry) => {
    const fields = { title: unescape(entry.title), text: unescape(entry.text), tags: (entry.tags || []).join(" ") };
    const folded = {};
    const exact = {};
    for (const name in fields) {
      exact[name] = lower(fields[name]);
      folded[name] = fold(fields[name]);
      if (exact[name] === folded[name]) exact[name] = folded[name]; // one string, not two
    }
    return { ...entry, ...fields, tags: entry.tags, exact, folded, page: entry.location.split("#")[0] };
  });
  meanLength = docs.reduce((sum, doc) => sum + doc.text.length, 0) / Math.max(1, docs.length) || 1;
}

/* What is looked for: every word and, of a run without spaces that stands nowhere, its pairs. */
function termsOf(query) {
  const terms = new Map();
  for (const [word] of lower(query).matchAll(WORDS)) {
    const key = fold(word);
    const there = !RUN.test(word) || key.length < 3 || docs.some((doc) => holds(doc, key));
    if (there) terms.set(key, word);
    else for (let at = 0; at + 1 < key.length; at++) terms.set(key.slice(at, at + 2), key.slice(at, at + 2));
  }
  return terms;
}

const holds = (doc, term) => doc.folded.text.includes(term) || doc.folded.title.includes(term);

/* How often `term` stands in `text`: anywhere in scripts without spaces, else where words begin;
   a whole word counts full, a beginning half. */
function count(text, term) {
  const run = RUN.test(term);
  let total = 0;
  for (let at = text.indexOf(term); at >= 0; at = text.indexOf(term, at + term.length)) {
    if (run) total += 1;
    else if (at === 0 || !LETTER.test(text[at - 1])) {
      const after = text[at + term.length];
      total += after === undefined || !LETTER.test(after) ? 1 : 0.5;
    }
  }
  return total;
}

function search(query) {
  const terms = termsOf(query);
  if (!terms.size) return { items: [] };
  const scored = new Map(docs.map((doc) => [doc, { doc, score: 0, terms: {} }]));
  for (const [term, word] of terms) {
    const found = [];
    for (const doc of docs) {
      let weight = 0;
      for (const name in WEIGHT) {
        const times = count(doc.folded[name], term);
        if (times) weight += WEIGHT[name] * (times + (word !== term ? count(doc.exact[name], word) : 0));
      }
      if (weight) found.push([doc, weight]);
    }
    const rarity = Math.log(1 + (docs.length - found.length + 0.5) / (found.length + 0.5));
    for (const [doc, weight] of found) {
      const length = 1 - B + (B * doc.text.length) / meanLength;
      const entry = scored.get(doc);
      entry.score += (rarity * weight * (K1 + 1)) / (weight + K1 * length);
      entry.terms[term] = true;
    }
  }
  return { items: groups([...scored.values()].filter((entry) => entry.score), [...terms.keys()]) };
}

/* By page: how many of the words it holds decides, then its best passage, then all of them. */
function groups(entries, terms) {
  const pages = new Map();
  for (const entry of entries) {
    const page = pages.get(entry.doc.page) || { entries: [], terms: new Set(), best: 0, sum: 0 };
    page.entries.push(entry);
    Object.keys(entry.terms).forEach((term) => page.terms.add(term));
    page.best = Math.max(page.best, entry.score * Object.keys(entry.terms).length);
    page.sum += entry.score;
    pages.set(entry.doc.page, page);
  }
  const order = (page) => [page.terms.size, page.best + page.sum / 10];
  const ranked = [...pages].sort(([, a], [, b]) => {
    const [x, y] = [order(a), order(b)];
    return y[0] - x[0] || y[1] - x[1];
  });
  return ranked.slice(0, MOST).map(([location, page]) => {
    const shown = page.entries.sort((a, b) => b.score - a.score);
    if (!shown.some(({ doc }) => doc.location === location)) {
      const top = docs.find((doc) => doc.location === location);
      if (top) shown.push({ doc: top, score: 0, terms: {} });
    }
    return shown.map(({ doc, score, terms: held }) => ({
      location: doc.location,
      title: mark(doc.title, terms),
      text: inDomain(doc.domain, score ? mark(snippet(doc.text, terms), terms) : ""),
      ...(doc.tags ? { tags: doc.tags.map((tag) => mark(tag, terms)) } : {}),
      score,
      terms: Object.fromEntries(terms.map((term) => [term, term in held || page.terms.has(term)])),
    }));
  });
}

/* Folded text with, for each of its characters, where the original's stands. */
function folding(text) {
  let folded = "";
  const place = [];
  let at = 0;
  for (const char of text) {
    const made = fold(char);
    for (let i = 0; i < made.length; i++) place.push(at);
    folded += made;
    at += char.length;
  }
  return { folded, place: [...place, at] };
}

/* The part of `text` around the first place where the most words stand together. */
function snippet(text, terms) {
  if (text.length <= SNIPPET) return text;
  const folded = fold(text);
  const starts = terms.map((term) => folded.indexOf(term)).filter((at) => at >= 0);
  if (!starts.length) return text.slice(0, SNIPPET) + "…";
  const near = (at) => terms.filter((term) => folded.slice(at, at + SNIPPET).includes(term)).length;
  const best = starts.reduce((a, b) => (near(b) > near(a) ? b : a));
  let from = Math.max(0, best - 40);
  const space = text.indexOf(" ", from);
  if (from && space > 0 && space < best) from = space + 1;
  return (from ? "…" : "") + text.slice(from, from + SNIPPET) + (from + SNIPPET < text.length ? "…" : "");
}

function mark(text, terms) {
  const { folded, place } = folding(text);
  const spans = [];
  for (const term of terms) {
    const run = RUN.test(term);
    for (let at = folded.indexOf(term); at >= 0; at = folded.indexOf(term, at + term.length)) {
      if (run || at === 0 || !LETTER.test(folded[at - 1])) spans.push([place[at], place[at + term.length]]);
    }
  }
  spans.sort((a, b) => a[0] - b[0] || b[1] - a[1]);
  let html = "";
  let done = 0;
  for (const [start, end] of spans) {
    if (start < done) continue;
    html += `${escape(text.slice(done, start))}<mark>${escape(text.slice(start, end))}</mark>`;
    done = end;
  }
  return html + escape(text.slice(done));
}

/* -- large wikis: words are looked up in the parts of the Ask page's index ----------------------- */

const ROOT = new URL("..", self.location); // of the site
const READ = 10; // best pages of which a passage is shown
const LISTED = 30;
let large; // the index and what reads it, once it is loaded

async function load(address) {
  const reply = await fetch(new URL(address, ROOT));
  if (!reply.ok) throw new Error(`${address}: ${reply.status}`);
  return new Uint8Array(await reply.arrayBuffer());
}
const decoded = (bytes) => new TextDecoder().decode(bytes);

async function setupLarge() {
  const [text, markdown, find, rules, table] = await Promise.all([
    import(new URL("assets/ask-text.js", ROOT)),
    import(new URL("assets/ask-markdown.js", ROOT)),
    import(new URL("assets/ask-find.js", ROOT)),
    load("ask/rules.json").then(decoded),
    load("ask/pages.json").then(decoded),
  ]);
  text.setRules(JSON.parse(rules));
  return { markdown, find, index: new find.Index(JSON.parse(table), JSON.parse(rules), load), read: new Map() };
}

async function searchLarge(query) {
  large ??= setupLarge();
  const { markdown, find, index, read } = await large;
  const { hits } = await find.searchPages(index, query, LISTED, true);
  const terms = [...termsOf(query).keys()];
  const shown = hits.map(async ({ page, score }, rank) => {
    const location = index.urls[page].split("/").map(encodeURIComponent).join("/");
    if (rank < READ && !read.has(page)) {
      read.set(page, load(`${location}index.md`).then((bytes) => markdown.readPage(decoded(bytes)).sentences.map((each) => each.text).join(" ")));
    }
    const body = rank < READ ? await read.get(page) : "";
    const domain = index.domains[0][index.domains[1][page]];
    const passage = body ? mark(snippet(body, terms), terms) : "";
    const held = Object.fromEntries(terms.map((term) => [term, true]));
    return [{ location, title: mark(index.titles[page], terms), text: inDomain(domain, passage), score, terms: held }];
  });
  return { items: await Promise.all(shown) };
}

const inDomain = (domain, html) => (domain ? `<small>${escape(domain)}${html ? " · " : ""}</small>${html}` : html);

/* A question is handed on to the Ask page: first when it looks like one, else after the pages. */
function withAsk(query, { items }) {
  const words = query.trim().split(/\s+/);
  const isQuestion = /[?？]\s*$/.test(query) || words.length > 3 || (RUN.test(query) && query.trim().length > 5);
  const ask = [{
    location: `ask/?question=${encodeURIComponent(query.trim())}`,
    title: `Ask: ${escape(query.trim())}`,
    text: "Answered from the pages, or told that none says it.",
    score: 0,
    terms: {},
  }];
  if (isQuestion) return { items: [ask, ...items] };
  return { items: items.length ? [...items, ask] : [] };
}

let config = {};
let latest = 0;

addEventListener("message", async ({ data: { type, data } }) => {
  if (type === SETUP) {
    config = data.config || {};
    setup(data);
    postMessage({ type: READY });
  } else if (type === QUERY) {
    const number = ++latest;
    let found;
    try {
      found = config.in_parts ? await searchLarge(data) : search(data);
    } catch {
      large = undefined; // to be loaded again
      found = { items: [] };
    }
    if (number !== latest) return; // more was typed meanwhile
    postMessage({ type: RESULT, data: config.asks && data.trim() ? withAsk(data, found) : found });
  }
});
