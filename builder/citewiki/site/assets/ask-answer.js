/* A question in, sentences of the pages or a refusal out: the command line's built-in engine over a
   site's published pages. The same steps as citewiki.query.question … .refusal; what they know of
   words stands in ask/rules.json. A claim is always a sentence that its page shows. */
import { Demand, leading, measureAsked, namedPages, pageCalled, saysKind, saysRelation, sidesOf } from "./ask-basis.js";
import { toldOtherwise, topicOf } from "./ask-basis.js";
import { retrieve, searchPages } from "./ask-find.js";
import { inline, readPage } from "./ask-markdown.js";
import { every, fold, holds, isStop, isUnspaced, language, nameKey, pattern } from "./ask-text.js";
import { queryTerms, stripMarks, tokens, whole } from "./ask-text.js";

const PAGE_CHARS = 4000;
const FEWEST = 3;
const BUDGET = 24000;
const PIECE = 1000;
const sum = (list) => list.reduce((total, each) => total + each, 0);

// -- the question -------------------------------------------------------------------------------

function kindOf(rules, written) {
  const folded = fold(written);
  const plain = stripMarks(folded);
  return rules.question.KINDS.find(([, says]) => holds(says, folded) || holds(says, plain))?.[0] ?? "other";
}

function questionOf(rules, written) {
  const clean = written.replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}]/gu, " ").split(/\s+/u).filter(Boolean).join(" ").normalize("NFC");
  return {
    text: clean,
    kind: kindOf(rules, clean),
    language: language(clean),
    wantsCurrent: holds(rules.question.CURRENT, fold(clean)),
    years: every(rules.question.YEAR, clean).map((match) => Number(match[0])),
  };
}

/* What each word of the question counts; see query.asked. */
class AskedWords {
  constructor(rules, question, weighed) {
    this.weights = new Map();
    this.forms = new Map();
    for (const term of weighed.terms) {
      const word = isUnspaced(term.word) ? term.text : term.word;
      this.weights.set(word, Math.max(this.weights.get(word) ?? 0, term.idf));
      this.forms.set(term.text, [...(this.forms.get(term.text) ?? []), word]);
    }
    const sort = new Set(rules.asked.NAMES_THE_ANSWER);
    const known = new Set(weighed.terms.map((term) => term.text));
    const spaced = weighed.missing.filter((word) => !isUnspaced(word) && !sort.has(fold(word)));
    const unknown = queryTerms(question).filter((term) => isUnspaced(term.words) && !known.has(term.text)).map((term) => term.text);
    const rarest = Math.max(0, ...this.weights.values());
    this.whole = sum([...this.weights.values()]) + rarest * (spaced.length + rules.asked.UNKNOWN_PAIR * unknown.length);
    this.rarest = [...spaced, ...unknown, ...[...this.weights.keys()].sort((a, b) => this.weights.get(b) - this.weights.get(a))];
  }
  held(terms) {
    return new Set(terms.flatMap((term) => this.forms.get(term) ?? []));
  }
  heldIn(written) {
    return this.held(tokens(written));
  }
  share(words) {
    return this.whole ? sum([...words].map((word) => this.weights.get(word) ?? 0)) / this.whole : 0;
  }
}

// -- pages cut to what may answer ---------------------------------------------------------------

/* The sentences of a page that stand in its best passages, of at most `room` characters. */
function bestSentences(index, page, weighed, room) {
  if (page.body.length <= room) return page.sentences;
  const pieces = page.passages.flatMap((passage) => cut(page, passage));
  const { K1, B } = index.rules.chains;
  const counts = pieces.map((piece) => tokens(inline(page.body.slice(piece.start, piece.end)).text));
  const mean = sum(counts.map((each) => each.length)) / counts.length || 1;
  const above = tokens(`${page.domain} ${page.title}`);
  const scores = pieces.map((piece, number) => {
    const context = new Set([...above, ...tokens(piece.path.join(" "))]);
    const norm = K1 * (1 - B + (B * counts[number].length) / mean);
    return sum(
      weighed.terms.map((term) => {
        const times = counts[number].filter((each) => each === term.text).length + 0.5 * context.has(term.text);
        return (term.idf * times * (K1 + 1)) / (times + norm);
      }),
    );
  });
  const order = pieces.map((_, number) => number).sort((a, b) => scores[b] - scores[a] || a - b);
  const kept = [];
  for (const number of order) {
    const size = pieces[number].end - pieces[number].start;
    if (size <= room) {
      kept.push(pieces[number]);
      room -= size;
    }
  }
  return page.sentences.filter((each) => kept.some((piece) => piece.start <= each.start && each.start < piece.end));
}

function cut(page, passage) {
  const breaks = [passage.start, ...page.blocks.map((each) => each.start).filter((at) => passage.start < at && at < passage.end), passage.end];
  const found = [];
  let start = passage.start;
  breaks.forEach((here, at) => {
    const following = breaks[at + 1] ?? here;
    if (here > start && (following - start > PIECE || here === passage.end)) {
      found.push({ path: passage.path, start, end: here });
      start = here;
    }
  });
  return found;
}

// -- evidence and answer ------------------------------------------------------------------------

function evidenceOf(index, question, weighed, packed) {
  const { rules } = index;
  const words = new AskedWords(rules, question.text, weighed);
  if (!words.whole || !packed.length) return [];
  const best = Math.max(...packed.map((item) => item.score));
  const wanted = new Demand(rules, question, packed.map((item) => item.page));
  const { TITLED, WEIGHTS, FORMED } = rules.evidence;
  const found = [];
  packed.forEach((item, rank) => {
    const { page } = item;
    const titled = words.heldIn([page.title, ...page.aliases].join(" "));
    const onPage = new Set([...titled, ...words.heldIn(inline(page.body).text)]);
    const rest = words.rarest.filter((word) => !titled.has(word));
    const focus = rest.length ? Number(onPage.has(rest[0])) : 0.5;
    let before = new Set();
    for (const sentence of item.sentences) {
      const above = new Set([...titled, ...words.heldIn(sentence.path.join(" "))]);
      const held = words.held(tokens(sentence.text));
      const own = words.share(held);
      const typed = saysKind(rules, question.kind, sentence.text, question.text, page.title);
      const basis = wanted.supports(page, sentence.heading, sentence.text);
      const relation = saysRelation(rules, question.text, sentence.text);
      const context = own + TITLED * words.share([...above].filter((word) => !held.has(word)));
      const measures = {
        context,
        before: words.share([...before].filter((word) => !held.has(word) && !above.has(word))),
        score: best ? item.score / best : 0,
        formed: Number(typed && FORMED.includes(question.kind)),
        relation,
        basis: Number(basis),
      };
      const score = sum(Object.keys(WEIGHTS).map((name) => WEIGHTS[name] * measures[name]));
      found.push({ words, page, sentence, rank, covers: held, about: above, own, onPage, focus, basis, typed, relation, score });
      before = held;
    }
  });
  return found.sort((a, b) => b.score - a.score);
}

function isEnough(index, question, weighed, packed, found) {
  const { rules } = index;
  const { WEIGHTS, BIAS, ENOUGH, TOLD, NAMED, WHOLE, UNRELATED, FORMED } = rules.refusal;
  const best = found.find((each) => each.basis);
  if (!best || !packed.length || weighed.terms.every((term) => isStop(term.word) || isStop(term.text))) return false;
  const { words } = best;
  const ofPage = found.filter((each) => each.rank === best.rank);
  let told = [];
  if (measureAsked(rules, question.text) && best.typed) {
    told = toldOtherwise(rules, [...words.weights.keys()].filter((word) => !best.covers.has(word)), best.sentence.text);
  }
  if (told.length) {
    const sort = new Set(rules.asked.NAMES_THE_ANSWER);
    told = [...told, ...[...words.weights.keys()].filter((word) => sort.has(fold(word)))];
  }
  const [first, ...rest] = packed.map((item) => item.score).sort((a, b) => b - a);
  const title = new Set(tokens(best.page.title));
  const terms = new Set(weighed.terms.map((term) => term.text));
  const beyondTitle = words.rarest.filter((word) => !best.about.has(word));
  const shareWith = (set) => words.share(new Set([...set, ...told]));
  const shares = ofPage.map((each) => (each === best ? shareWith(best.covers) : each.own)).sort((a, b) => b - a);
  const titled = !weighed.missing.length && terms.size === title.size && [...terms].every((term) => title.has(term));
  const formed = found.slice(0, 5).some((each) => each.typed);
  const page = shareWith(best.onPage);
  if (page < UNRELATED) return false;
  if (shares[0] >= WHOLE && formed && question.kind !== "other") return true;
  const features = {
    two_best: sum(shares.slice(0, 2)),
    page,
    relation: Math.max(...ofPage.map((each) => each.relation)),
    focus: told.includes(beyondTitle[0]) ? 1 : best.focus,
    others: first > 0 ? sum(rest.slice(0, 4)) / 4 / first : 0,
    about: words.share(best.about),
    asks: Number(question.kind !== "other" || titled),
    number: Number(question.kind === "how_many"),
    place: Number(question.kind === "where"),
    passing: Number(holds(rules.kinds.PASSING, question.text)),
    formless: Number(FORMED.includes(question.kind) && !formed),
  };
  const weight = BIAS + sum(Object.keys(WEIGHTS).map((name) => WEIGHTS[name] * features[name]));
  const isNamed = TOLD.includes(question.kind) && namedPages(question.text, [best.page]).length > 0;
  return 1 / (1 + Math.exp(-weight)) >= (isNamed ? NAMED : ENOUGH);
}

function choose(rules, question, found) {
  const { MOST, NEAR, ADDS, NAMED, PAGES, LOOKED_AT } = rules.answer;
  const best = found.find((each) => each.basis);
  if (!best) return [];
  const chosen = [best];
  const names = (page, other) => nameKey(page.body).includes(nameKey(other.title));
  for (const each of found.slice(0, LOOKED_AT)) {
    if (chosen.length === (MOST[question.kind] ?? 3)) break;
    if (chosen.some((other) => other.sentence.text === each.sentence.text)) continue;
    const pages = new Map(chosen.map((other) => [other.page, other]));
    const isNear = each.basis && best.score - each.score <= (NEAR[question.kind] ?? 0.6);
    const isNew = !pages.has(each.page);
    if (isNew && pages.size === PAGES) continue;
    if (isNear || (isNew && adds(each, [...pages.values()]))) chosen.push(each);
  }
  const order = [...new Set(chosen.map((each) => each.page))];
  return chosen.sort((a, b) => order.indexOf(a.page) - order.indexOf(b.page) || place(a) - place(b));

  function adds(each, others) {
    const said = new Set(others.flatMap((other) => [...other.onPage]));
    if (each.words.share([...each.covers].filter((word) => !said.has(word))) < ADDS) return false;
    return each.words.share(each.about) >= NAMED || others.some((other) => names(each.page, other.page) || names(other.page, each.page));
  }
}
const place = (each) => each.page.sentences.indexOf(each.sentence);

/* A claim of each sentence; of one that announces a list, with the list's items. */
function claimsOf(rules, told) {
  const claims = [];
  const done = new Map();
  for (const { page, sentence } of told) {
    const at = page.sentences.indexOf(sentence);
    if (at < (done.get(page) ?? 0)) continue;
    let end = at + 1;
    if (/[:：]$/.test(sentence.text)) {
      while (end < page.sentences.length && end - at <= rules.answer.ITEMS && page.sentences[end].item && page.sentences[end].block === sentence.block + end - at) end++;
    }
    done.set(page, end);
    const items = page.sentences.slice(at + 1, end).map((each) => each.text.replace(/[;,；，]+$/, ""));
    claims.push({ text: `${sentence.text} ${items.join("; ")}`.trimEnd(), quote: sentence.text, title: page.title, url: page.url, heading: sentence.heading, number: page.number });
  }
  return claims;
}

/* What a page says first of itself, where no more than that page is asked for. */
function introduce(rules, question, pages) {
  const sides = question.kind === "comparison" && sidesOf(rules, question.text);
  if (sides) {
    const [first, second] = sides.map((name) => pageCalled(name, pages));
    if (!first || !second || first === second) return [];
    return claimsOf(rules, [first, second].flatMap((page) => leading(rules, page, 1)));
  }
  const page = pageCalled(topicOf(rules, question.text), pages);
  return page ? claimsOf(rules, leading(rules, page, rules.answer.FIRST)) : [];
}

// -- refusals -----------------------------------------------------------------------------------

function refusalOf(index, question, weighed, packed) {
  const { rules } = index;
  const words = new AskedWords(rules, question.text, weighed);
  const now = new Set(rules.refusal.ASKS_OR_NOW);
  const matters = (word) => !(isStop(word) || isStop(fold(word)) || now.has(fold(word)));
  const near = packed
    .map((item) => item.page)
    .filter((page) => {
      const held = [...words.heldIn(`${page.title} ${inline(page.body).text}`)].filter(matters);
      return held.length && (words.share(held) >= rules.refusal.UNRELATED || namedPages(question.text, [page]).length);
    })
    .slice(0, 4);
  if (!near.length) {
    const rare = words.rarest.filter((word) => matters(word) && !isUnspaced(word)).slice(0, question.language === "vi" ? 6 : 3);
    return { kind: "no_relevant_page", message: `No page is about this (${phrases(question.text, rare) || question.text}).`, available: [], next: "Ask with other words, or look through the domains and tags." };
  }
  return {
    kind: "not_stated",
    message: "There are pages about this, but none of them says it.",
    available: near.map(({ title, url }) => ({ title, url })),
    next: "Ask with other words, or read these pages.",
  };
}

/* Words of a question as they stand there; those side by side are one phrase. */
function phrases(question, words) {
  const runs = [[]];
  for (const written of question.split(/\s+/u)) {
    const bare = written.replace(/^[?？!.,;:“”"'()]+|[?？!.,;:“”"'()]+$/g, "");
    if (words.includes(bare)) runs.at(-1).push(bare);
    if (!words.includes(bare) || bare !== written) runs.push([]);
  }
  return [...new Set(runs.filter((run) => run.length).map((run) => run.join(" ")))].join(", ");
}

// -- all of it ----------------------------------------------------------------------------------

/* The questions that one text asks, one after the other; see query.parts. */
async function partsOf(index, written) {
  const { parts } = index.rules;
  const [first, ...rest] = written.split(/\s+/u).join(" ").split(pattern(parts.NEXT)).map((each) => each.replace(/^[ ?？]+|[ ?？]+$/g, ""));
  const kind = (each) => kindOf(index.rules, `${each}?`);
  if (!rest.length || [first, ...rest].some((each) => !parts.ASKED.includes(kind(each)))) return [written];
  const { hits } = await searchPages(index, first);
  const titles = hits.map((hit) => index.titles[hit.page]).filter((title) => nameKey(first).includes(nameKey(title)));
  const subject = titles.reduce((best, title) => (title.length > best.length ? title : best), "");
  const points = rest.some((each) => holds(parts.BACK, each) || holds(parts.BACK_HAN, each));
  if (points && (!subject || parts.THINGS.includes(kind(first)))) return [written];
  const said = (each) => {
    const spelt = each.replace(pattern(parts.BACK, "every"), (_, own) => (own ? `${subject}’s` : subject));
    return spelt.replace(pattern(parts.BACK_HAN, "every"), (found) => subject + (found.includes("的") ? "的" : ""));
  };
  return [first, ...rest.map(said)].map((each) => `${each}?`);
}

async function pageOf(index, number) {
  index.read ??= new Map();
  if (!index.read.has(number)) {
    const url = index.urls[number];
    const markdown = new TextDecoder().decode(await index.load(`${url.split("/").map(encodeURIComponent).join("/")}index.md`));
    const page = { number, url, title: index.titles[number], aliases: index.aliases[number] ?? [], domain: index.domains[0][index.domains[1][number]], ...readPage(markdown) };
    page.plain = stripMarks(fold(`${page.title} ${page.aliases.join(" ")} ${page.body}`));
    index.read.set(number, page);
  }
  return index.read.get(number);
}

/* Pages that no longer hold give way to what took their place. */
function fresh(index, hits) {
  const [current, over] = [new Map(), []];
  for (const hit of hits) {
    const [newest] = index.over[hit.page] ?? [hit.page];
    if (newest >= 0 && !index.over[newest] && !current.has(newest)) current.set(newest, { ...hit, page: newest });
    if (newest !== hit.page) over.push(hit);
  }
  return [[...current.values()], over];
}

async function answerFrom(index, question, weighed, hits) {
  const pages = await Promise.all(hits.map((hit) => pageOf(index, hit.page)));
  const packed = [];
  let left = BUDGET;
  pages.forEach((page, at) => {
    if (left <= 0) return;
    const room = Math.min(PAGE_CHARS, BUDGET / FEWEST, left);
    packed.push({ page, score: hits[at].score, sentences: bestSentences(index, page, weighed, room) });
    left -= Math.min(room, page.body.length);
  });
  let claims = introduce(index.rules, question, pages);
  if (!claims.length) {
    const found = evidenceOf(index, question, weighed, packed);
    if (isEnough(index, question, weighed, packed, found)) claims = claimsOf(index.rules, choose(index.rules, question, found));
  }
  return { claims, packed };
}

async function askOne(index, written) {
  const question = questionOf(index.rules, written);
  const { hits, weighed } = await retrieve(index, question);
  const [current, over] = fresh(index, hits);
  const { claims, packed } = await answerFrom(index, question, weighed, current);
  let refusal = null;
  if (!claims.length) {
    const said = over.length ? await answerFrom(index, question, weighed, over) : { claims: [] };
    refusal = said.claims.length ? stale(index, said.claims) : refusalOf(index, question, weighed, packed);
  }
  const drift = claims.length && conflict(index, claims);
  return { claims: drift ? [] : claims, refusal: drift || refusal, hits };
}

function stale(index, claims) {
  const [first] = claims;
  const [newest, until] = index.over[first.number];
  const by = newest >= 0 ? ` “${index.titles[newest]}” took its place.` : "";
  return {
    kind: "stale",
    message: `The page that says it may no longer hold: “${first.title}”${until ? ` held until ${until}` : ""}.${by}`,
    available: [...new Map(claims.map(({ title, url }) => [url, { title, url }])).values()],
    next: "Read it with its date in mind.",
  };
}

/* The refusal when a cited sentence is one on which pages disagree. */
function conflict(index, claims) {
  for (const drift of index.drifts) {
    const quotes = drift.quotes.map((quote) => inline(quote).text.split(/\s+/u).join(" "));
    if (claims.some((claim) => quotes.some((quote, at) => drift.pages[at] === claim.number && quote === claim.quote))) {
      return {
        kind: "conflict",
        message: `Pages contradict each other: ${drift.message}.`,
        available: drift.pages.map((page) => ({ title: index.titles[page], url: index.urls[page] })),
        next: "Read both pages, and what each rests on.",
      };
    }
  }
  return null;
}

/* {claims: [{text, title, url, heading, quote}], refusal: null | {kind, message, available, next},
   missing: [parts of the question that no page answers], hits}. */
export async function ask(index, written) {
  const several = await partsOf(index, written);
  const answers = [];
  for (const part of several) answers.push(await askOne(index, part));
  if (answers.length === 1) return { ...answers[0], missing: [] };
  const told = answers.filter((each) => each.claims.length);
  const hits = [...new Map(answers.flatMap((each) => each.hits).map((hit) => [hit.page, hit])).values()];
  if (!told.length) return { ...(answers.find((each) => each.refusal?.available.length) ?? answers[0]), hits, missing: [] };
  const claims = [...new Map(told.flatMap((each) => each.claims).map((claim) => [claim.text, claim])).values()];
  return { claims, refusal: null, hits, missing: several.filter((_, at) => answers[at].refusal) };
}
