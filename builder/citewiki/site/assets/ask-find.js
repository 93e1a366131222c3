/* Which pages answer a question: by their words, then by the links between them. The same steps as
   citewiki.query.terms, .chains and .retrieve, over the files that citewiki.site.ask_index writes. */
import { fold, isStop, isUnspaced, language, neighbours, ownTerms, queryTerms } from "./ask-text.js";

const FIELDS = ["title", "aliases", "tags", "summary", "headings", "body", "named"];
const NAMED = 1 << 6;
const BODY = 1 << 5;
const QUALIFIER = /(?<=\S)\s*[(（][^()（）]*[)）]\s*$/u;

/* How long a text counts: lengths are kept in one byte, as by Lucene and Tantivy. */
function rounded(length) {
  if (length < 40) return length;
  let [base, step] = [40, 2];
  while (base + 8 * step <= length) [base, step] = [base + 8 * step, 2 * step];
  return base + Math.floor((length - base) / step) * step;
}

/* Whether one term stands before another, in the order of their code points. */
function before(one, other) {
  const [a, b] = [[...one], [...other]];
  const at = a.findIndex((char, place) => char !== b[place]);
  if (at < 0) return a.length < b.length;
  return at < b.length && a[at].codePointAt(0) < b[at].codePointAt(0);
}

const idf = (count, df) => Math.log(1 + (count - df + 0.5) / (df + 0.5));
const sum = (list) => list.reduce((total, each) => total + each, 0);

/* The index of a site. `load(address)` gives a file's bytes, from the site's root. */
export class Index {
  constructor(table, rules, load) {
    Object.assign(this, table);
    this.rules = rules;
    this.load = load;
    this.count = this.urls.length;
    this.norms = this.lengths.map(rounded);
    this.meanBody = sum(this.lengths) / Math.max(1, this.count);
    this.mean = Math.max(1, Math.round(this.meanBody)); // as the index's table keeps it
    this.loaded = new Map();
    this.terms = new Map();
  }

  /* The number of the part in which a term stands, if it stands anywhere. */
  part(term) {
    let [low, high] = [0, this.parts.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (before(term, this.parts[middle])) high = middle - 1;
      else low = middle;
    }
    return low;
  }

  /* Load the parts in which terms stand. */
  async want(wanted) {
    await Promise.all(
      [...new Set(wanted.map((term) => this.part(term)))].map((number) => {
        if (!this.loaded.has(number)) {
          const part = this.load(`ask/${number}.bin`).then((bytes) => this.take(bytes));
          part.catch(() => this.loaded.delete(number)); // to be tried again
          this.loaded.set(number, part);
        }
        return this.loaded.get(number);
      }),
    );
  }

  /* The terms that begin with `start`, those of most pages first. */
  async beginning(start, most) {
    await this.want([start]);
    const found = [...this.terms.keys()].filter((term) => term.startsWith(start) && !isStop(term));
    return found.sort((a, b) => this.postings(b).pages.length - this.postings(a).pages.length || (a < b ? -1 : 1)).slice(0, most);
  }

  take(bytes) {
    const decoder = new TextDecoder();
    let at = 0;
    const number = () => {
      let value = 0;
      for (let shift = 0; ; shift += 7) {
        const byte = bytes[at++];
        value |= (byte & 127) << shift;
        if (byte < 128) return value;
      }
    };
    const spelt = new Uint8Array(4096); // of the term at hand
    while (at < bytes.length) {
      const shared = number();
      const rest = number();
      spelt.set(bytes.subarray(at, (at += rest)), shared);
      const term = decoder.decode(spelt.subarray(0, shared + rest));
      const length = number();
      this.terms.set(term, bytes.subarray(at, (at += length)));
    }
  }

  /* Pages that hold a term: {pages, fields, times}. */
  postings(term) {
    const found = this.terms.get(term);
    if (!found) return NONE;
    if (!(found instanceof Uint8Array)) return found;
    const result = { pages: [], fields: [], times: [], at: new Map() };
    let page = 0;
    for (let at = 0; at < found.length; ) {
      let value = 0;
      for (let shift = 0; ; shift += 7) {
        const byte = found[at++];
        value |= (byte & 127) << shift;
        if (byte < 128) break;
      }
      page += value >> 2;
      const kind = value & 3;
      const fields = kind === 3 ? found[at++] : BODY;
      const times = kind < 2 ? kind + 1 : found[at++];
      result.at.set(page, result.pages.length);
      result.pages.push(page);
      result.fields.push(fields);
      result.times.push(times);
    }
    this.terms.set(term, result);
    return result;
  }

  /* Titles and aliases of several words, with the pages that have them. */
  get called() {
    if (!this.calledMap) {
      this.calledMap = new Map();
      this.titles.forEach((title, page) => {
        for (const name of [title, title.replace(QUALIFIER, ""), ...(this.aliases[page] ?? [])]) {
          const key = ownTerms(name);
          if (key.length > 1) {
            const joined = key.join("_");
            if (!this.calledMap.has(joined)) this.calledMap.set(joined, new Set());
            this.calledMap.get(joined).add(page);
          }
        }
      });
    }
    return this.calledMap;
  }
}
const WORDS_BEGUN = 8; // that a beginning stands for
const NONE = { pages: [], fields: [], times: [], at: new Map() };

/* The words of a question, weighed by how rare they are in the wiki. */
export async function weigh(index, text, spoken = null) {
  const { MOST_TERMS, MOST_WORDS, LONGEST_NAME } = index.rules.terms;
  const asked = queryTerms(text);
  await index.want(asked.map((wanted) => wanted.text));
  let terms = [];
  const missing = new Set();
  const known = new Set();
  const nameless = new Set();
  for (const wanted of asked) {
    const found = index.postings(wanted.text);
    const df = found.pages.length;
    const held = found.fields.reduce((all, each) => all | each, 0);
    if (!(held & 0b111)) nameless.add(wanted.text); // titles, aliases, tags
    if (!df) {
      missing.add(wanted.words);
      continue;
    }
    known.add(wanted.words);
    terms.push({ text: wanted.text, word: wanted.words, weight: wanted.weight, held, df, found, idf: wanted.weight * idf(index.count, df) });
  }
  if (terms.length > MOST_TERMS) terms = terms.sort((a, b) => b.idf - a.idf).slice(0, MOST_TERMS);
  const there = new Set(terms.map((term) => term.text));
  const titled = new Set(terms.filter((term) => term.held & 0b11).map((term) => term.text));
  const own = ownTerms(text).slice(0, MOST_WORDS);
  const names = new Map();
  let end = 0;
  for (let start = 0; start < own.length - 1; start++) {
    let longest = start;
    while (longest < Math.min(own.length, start + LONGEST_NAME) && !nameless.has(own[longest])) longest++;
    for (let stop = longest; stop > Math.max(start + 1, end); stop--) {
      const part = own.slice(start, stop);
      const pages = part.some((term) => titled.has(term)) && index.called.get(part.join("_"));
      if (pages) {
        names.set(part.join("_"), { pages, idf: idf(index.count, pages.size) });
        end = stop;
        break;
      }
    }
  }
  return {
    terms,
    missing: [...missing].filter((word) => !known.has(word)),
    pairs: neighbours(text).filter((pair) => pair.every((term) => there.has(term))),
    names: [...names.values()],
    language: index.multilingual ? (spoken ?? language(text)) : "",
    mass: sum(terms.map((term) => term.idf)),
  };
}

/* Pages found so far for one question, and the steps that find more. */
class Chains {
  constructor(index, weighed, wanted) {
    const chains = index.rules.chains;
    Object.assign(this, { index, weighed, wanted, chains });
    this.language = index.languageNames.indexOf(weighed.language || "\u0000");
    this.once = chains.K1 * (1 - chains.B) + 1;
    this.longer = (chains.K1 * chains.B) / index.mean;
    this.found = new Map();
    this.frontier = [];
  }

  /* What a page holds of the question. */
  worth(page) {
    const { terms, names } = this.weighed;
    const held = new Map();
    let [mass, titles, titleMass, nameMass] = [0, 0, 0, 0];
    terms.forEach((term, number) => {
      const at = term.found.at.get(page);
      if (at === undefined) return;
      held.set(number, term.idf);
      mass += term.idf;
      if (term.found.fields[at] & NAMED) {
        titles++;
        titleMass += term.idf;
      }
    });
    for (const name of names) if (name.pages.has(page)) nameMass += name.idf;
    const title = this.chains.FIELD_WEIGHTS.title;
    const most = mass * this.chains.SHORTEST + title * titleMass + this.chains.NAMED * nameMass;
    return { terms: held, mass, titles, titleMass, nameMass, atMost: most * this.chains.OWN_LANGUAGE };
  }

  start(candidates, seeds) {
    const { index, weighed } = this;
    const { K1, B, FIELD_WEIGHTS, NAMED: named } = this.chains;
    const scores = new Map();
    const add = (page, score) => scores.set(page, (scores.get(page) ?? 0) + score);
    for (const term of weighed.terms) {
      const inBody = term.found.fields.filter((fields) => fields & BODY).length;
      const rarity = idf(index.count, inBody) * (K1 + 1) * term.weight;
      term.found.pages.forEach((page, at) => {
        const fields = term.found.fields[at];
        let score = 0;
        if (fields & BODY) {
          const times = term.found.times[at];
          score += (rarity * times) / (times + K1 * (1 - B + (B * index.norms[page]) / index.meanBody));
        }
        for (let bit = 0; bit < 5; bit++) if (fields & (1 << bit)) score += FIELD_WEIGHTS[FIELDS[bit]] * term.idf;
        add(page, score);
      });
    }
    for (const name of weighed.names) for (const page of name.pages) add(page, named * name.idf);
    const best = [...scores].sort((a, b) => b[1] - a[1] || a[0] - b[0]).slice(0, candidates);
    for (const [page, score] of best) this.add(page, this.worth(page), score, 1).byIndex = true;
    this.frontier = this.best(seeds).map((page) => this.chain(page));
  }

  add(page, worth, score, counted) {
    const { FIELD_WEIGHTS, TITLE_POWER, OWN_LANGUAGE } = this.chains;
    if (worth.titles) {
      const part = Math.min(1, worth.titles / this.index.titleLengths[page]);
      const share = worth.nameMass > 0 ? 1 : part ** TITLE_POWER;
      score += FIELD_WEIGHTS.title * worth.titleMass * (share - counted);
    }
    if (this.language >= 0 && this.index.languages[page] === this.language) score *= OWN_LANGUAGE;
    const found = { page, own: score, score, terms: worth.terms, share: worth.mass ? score / worth.mass : 0, before: null, kept: 1, via: "index", byIndex: false };
    this.found.set(page, found);
    return found;
  }

  chain(found) {
    const cover = new Map(found.before?.cover);
    for (const [term, weight] of found.terms) cover.set(term, Math.max(cover.get(term) ?? 0, weight * found.share));
    const kept = (found.before?.kept ?? 1) * found.kept;
    return { page: found.page, cover, kept, reach: kept * sum([...cover.values()]) };
  }

  best(count) {
    return [...this.found.values()].sort((a, b) => b.score - a.score).slice(0, count);
  }

  step(width) {
    const { LINK, MOST_TOLD } = this.chains;
    const { index, found } = this;
    const steps = [];
    for (const [via, links] of [["wikilink", index.out], ["backlink", index.in]]) {
      for (const chain of this.frontier) {
        const near = links[chain.page];
        for (let at = 0; at < near.length; at += 2) {
          const specific = Math.max(0, 1 - Math.log(near[at + 1]) / Math.log(Math.max(index.count, 2)));
          const kept = LINK * specific;
          steps.push({ page: near[at], handed: kept * chain.reach, chain, kept, via });
        }
      }
    }
    this.lookUp(steps);
    const raised = new Map();
    for (const step of steps) {
      const page = found.get(step.page);
      if (!page || step.handed * MOST_TOLD + page.own <= page.score) continue;
      const score = step.handed + addsTo(page, step.chain.cover);
      if (score > page.score) {
        Object.assign(page, { score, before: step.chain, kept: step.kept, via: step.via });
        raised.set(page.page, page);
      }
    }
    const best = [...raised.values()].sort((a, b) => b.score - a.score).slice(0, width);
    this.frontier = best.map((page) => this.chain(page));
  }

  lookUp(steps) {
    const best = this.best(this.wanted);
    const least = best.length === this.wanted ? best.at(-1).score : 0;
    const handed = new Map();
    for (const step of steps) {
      if (!this.found.has(step.page)) handed.set(step.page, Math.max(handed.get(step.page) ?? -1, step.handed));
    }
    for (const [page, most] of handed) {
      const worth = this.worth(page);
      if (most * this.chains.MOST_TOLD + 2 * worth.atMost < least) continue;
      const score = (worth.mass * (this.chains.K1 + 1)) / (this.once + this.longer * this.index.lengths[page]);
      this.add(page, worth, score + this.chains.NAMED * worth.nameMass, 0);
    }
  }
}

function addsTo(page, cover) {
  let added = 0;
  for (const [term, weight] of page.terms) added += Math.max(0, weight * page.share - (cover.get(term) ?? 0));
  return added;
}

/* The best page, then those whose score and what they add come to the most. */
function choose(ranked, limit) {
  const chosen = ranked.slice(0, Math.min(limit, 1));
  const rest = ranked.slice(1);
  const covered = new Map();
  const cover = (page) => {
    for (const [term, weight] of page.terms) covered.set(term, Math.max(covered.get(term) ?? 0, weight * page.share));
  };
  chosen.forEach(cover);
  while (rest.length && chosen.length < limit) {
    let [best, value] = [0, -1];
    rest.forEach((page, place) => {
      const worth = page.score + addsTo(page, covered);
      if (worth > value) [best, value] = [place, worth];
    });
    const [page] = rest.splice(best, 1);
    chosen.push(page);
    cover(page);
  }
  return chosen;
}

/* At most `limit` pages for a question, following links up to `depth` steps. */
export async function retrieve(index, question, { depth = 2, limit = 8 } = {}) {
  const weighed = await weigh(index, question.text, question.language);
  if (!weighed.terms.length) return { hits: [], weighed };
  const { CANDIDATES, SEEDS, STEPS_FROM, CHOSEN_FROM } = index.rules.retrieve;
  const chains = new Chains(index, weighed, limit);
  chains.start(Math.max(CANDIDATES, limit), SEEDS);
  for (let at = 0; at < depth; at++) chains.step(STEPS_FROM);
  return { hits: choose(chains.best(Math.max(CHOSEN_FROM, limit)), limit).filter((page) => page.score), weighed };
}

/* The pages that the words of `text` find, best first; no links are followed. With `typing`, a last
   word that no page has stands for those that begin with it. */
export async function searchPages(index, text, limit = 10, typing = false) {
  let weighed = await weigh(index, text);
  const last = typing && /([\p{L}\p{N}]{2,})$/u.exec(text)?.[1];
  if (last && !isUnspaced(last) && weighed.missing.includes(last)) {
    const begun = await index.beginning(fold(last), WORDS_BEGUN);
    weighed = await weigh(index, [text.slice(0, -last.length), ...begun].join(" "));
  }
  if (!weighed.terms.length) return { hits: [], weighed };
  const chains = new Chains(index, weighed, limit);
  chains.start(limit, 0);
  return { hits: chains.best(limit), weighed };
}
