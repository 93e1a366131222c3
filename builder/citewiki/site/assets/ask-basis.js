/* Which sentences may be the basis of an answer: of the form that is asked for, about the matter and
   the subject. The same steps as citewiki.query.forms, .persons, .kinds, .relations and .basis. */
import { contentWords, every, fold, holds, isStop, isUnspaced, nameKey, ownTerms, queryTerms, replace } from "./ask-text.js";
import { search, starts, stripMarks, tokens, verbForms, whole } from "./ask-text.js";

/* What the groups of a match hold: the first that took part. */
const named = (groups) => groups.slice(1).find((each) => each !== undefined) ?? "";

// -- forms of answers ---------------------------------------------------------------------------

function beyond(written, question) {
  for (const number of question.match(/\d[\d.,]*/g) ?? []) {
    const bare = number.replace(/^[.,]+|[.,]+$/g, "").replace(/[.,]/g, "\\$&");
    written = written.replace(new RegExp(`(?<!\\d)${bare}(?!\\d)`, "g"), " ");
  }
  return written;
}

export function measureAsked(rules, question) {
  const folded = fold(question);
  const plain = stripMarks(folded);
  return rules.forms.MEASURES.find((each) => holds(each.asks, folded) || holds(each.asks, plain)) ?? null;
}

function saysMeasure(rules, wanted, sentence) {
  const folded = fold(sentence);
  if (!holds(wanted.shows, folded)) return false;
  if (!wanted.rivals || holds(wanted.says, folded)) return true;
  return !rules.forms.MEASURES.some((each) => each.rivals && holds(each.says, folded));
}

function saysDate(rules, sentence, exact, habit) {
  const { YEAR, DATE, EVENT } = rules.forms;
  const folded = fold(sentence);
  if (exact) return new RegExp(YEAR, "u").test(folded);
  return holds(DATE, folded) || (habit && holds(EVENT, folded));
}

/* Runs of capitalised words, each with the word before it; see query.persons. */
function namesIn(rules, written) {
  const found = [];
  let [run, start, end, before, last] = [[], 0, -1, "", ""];
  const close = () => {
    if (run.length && (start > 0 || run.length > 1)) found.push([run, before]);
  };
  const capital = (word) => /^\p{Lu}/u.test(word);
  for (const match of every(rules.persons.WORD, written)) {
    const word = match[0];
    const joined = run.length && !written.slice(end, match.index).trim();
    if (run.length && !(capital(word) && joined)) {
      close();
      run = [];
    }
    if (capital(word) && !(isStop(word) && !run.length)) {
      if (!run.length) [start, before] = [match.index, last];
      run.push(word);
    }
    end = match.index + word.length;
    last = fold(word);
  }
  close();
  return found;
}
const properNames = (rules, written) => namesIn(rules, written).map(([name]) => name.join(" "));

function saysPerson(rules, sentence, known, verbs) {
  const { PLACED, TIMES, AGENT, HAN_NAME, WORD, PASSIVE } = rules.persons;
  const said = new Set(tokens(known));
  for (const [name, before] of namesIn(rules, sentence)) {
    const fresh = name.filter((word) => !tokens(word).some((term) => said.has(term)));
    if (fresh.length && !PLACED.includes(before) && !fresh.every((word) => TIMES.includes(fold(word)))) return true;
  }
  if (holds(AGENT, fold(sentence))) return true;
  if (every(HAN_NAME, sentence).some((match) => !known.includes(match[0]))) return true;
  const words = every(WORD, sentence).map((match) => match[0]);
  const place = words.findIndex((word) => tokens(word).some((term) => verbs.has(term)));
  if (place < 0) return false;
  const ahead = words.slice(0, place);
  const fresh = ahead.filter((word) => !isStop(word) && !tokens(word).some((term) => said.has(term) || verbs.has(term)));
  return fresh.length > 0 && !ahead.some((word) => PASSIVE.includes(fold(word)));
}

export function saysKind(rules, kind, sentence, question, title) {
  const { NUMBER, DATE, CAUSE, DEFINES, MEANS } = rules.kinds;
  const folded = fold(sentence);
  switch (kind) {
    case "how_many": return holds(NUMBER, beyond(folded, question));
    case "when": return holds(DATE, beyond(folded, question));
    case "why": return holds(CAUSE, folded);
    case "who":
    case "where": return namesSomething(rules, sentence, `${question} ${title}`);
    case "definition": {
      const wanted = new Set(tokens(title));
      const said = new Set(tokens(sentence));
      return holds(DEFINES, folded) && 2 * [...wanted].filter((term) => said.has(term)).length >= wanted.size;
    }
    case "how": return holds(MEANS, folded);
  }
  return true;
}

function namesSomething(rules, sentence, known) {
  const said = fold(known);
  for (const match of every(rules.kinds.NAME, sentence)) {
    const fresh = match[0].split(/\s+/u).filter((word) => !said.includes(fold(word).replace(/^[.'’-]+|[.'’-]+$/g, "")));
    if (fresh.length && (match.index > 0 || fresh.length > 1)) return true;
  }
  if (holds(rules.kinds.HAN_NAME, sentence) && !/[A-Za-z]{3}/.test(sentence)) {
    return every(rules.kinds.HAN_NAME, sentence).some((match) => !known.includes(match[0]));
  }
  return false;
}

// -- relations ----------------------------------------------------------------------------------

let latest = {}; // question, and what its relations are told by: the same for all its sentences

export function saysRelation(rules, question, sentence) {
  if (latest.question !== question) {
    const folded = fold(question);
    const wanted = [...rules.relations.RELATIONS, ...rules.relations.FORMAL].filter(([asks]) => holds(asks, folded));
    latest = { question, wanted };
  }
  const { wanted } = latest;
  const said = fold(sentence);
  return wanted.length ? wanted.filter(([, says]) => holds(says, said)).length / wanted.length : rules.relations.NEUTRAL;
}

const relationsAsked = (rules, folded) => rules.relations.RELATIONS.filter(([asks]) => holds(asks, folded)).map(([, says]) => says);

function relationAskedLast(rules, question) {
  const folded = fold(question);
  const bare = replace(rules.relations.ROLE, folded, " ");
  const last = relationsAsked(rules, bare);
  return last.length && bare !== folded ? last : relationsAsked(rules, folded);
}

export function toldOtherwise(rules, words, sentence) {
  const said = fold(sentence);
  return words.filter((word) => rules.relations.RELATIONS.some(([asks, says]) => whole(asks, fold(word)) && holds(says, said)));
}

// -- which sentences may be the basis -----------------------------------------------------------

const bareQuestion = (written) => fold(written).replace(/^[ \t?？!！.。…"'“”]+|[ \t?？!！.。…"'“”]+$/g, "").split(/\s+/u).join(" ");

function definedIn(rules, question) {
  const written = bareQuestion(question);
  for (const each of rules.frames.DEFINED) {
    const match = whole(each, written);
    if (match) return match[1];
  }
  return "";
}

function holdsName(written, name) {
  const [wanted, said] = [name, written].map((each) => ownTerms(stripMarks(fold(each))).join(" "));
  return isUnspaced(wanted.replaceAll(" ", "")) ? said.includes(wanted) : ` ${said} `.includes(` ${wanted} `);
}

export function namedPages(question, pages) {
  const written = ` ${ownTerms(question).join(" ")} `;
  const all = new Set(tokens(question));
  const found = new Map();
  for (const page of pages) {
    for (const name of [page.title, ...page.aliases]) {
      const key = ownTerms(name).join(" ");
      const words = contentWords(name);
      const spelt = key && isUnspaced(key) ? written.includes(key) : written.includes(` ${key} `);
      if (key && (spelt || (words.length > 1 && words.every((word) => all.has(word))))) found.set(key, new Set(tokens(name)));
    }
  }
  const sets = [...found.values()];
  return sets.filter((terms) => !sets.some((other) => other.size > terms.size && [...terms].every((term) => other.has(term))));
}

function thingsAsked(rules, question) {
  const { COUNTED, HAN_COUNTED, OF, WHICH, HAN_OF, HAN_WHICH, ASKING } = rules.basis;
  const folded = fold(question.text);
  const asking = new Set(ASKING);
  if (question.kind === "how_many" && !measureAsked(rules, question.text)) {
    const match = search(COUNTED, folded);
    if (match) return contentWords(named(match).split(/\s+/u).slice(0, 2).join(" ")).filter((term) => !asking.has(term));
    const han = search(HAN_COUNTED, folded);
    if (han) return tokens(han[1]);
  }
  if (["which", "list", "other", "who"].includes(question.kind)) {
    for (const each of [OF, WHICH]) {
      const match = search(each, folded);
      if (match) {
        const last = named(match).split(/\s+/u).at(-1);
        return tokens(last).filter((term) => !asking.has(term) && !asking.has(last));
      }
    }
    for (const each of [HAN_OF, HAN_WHICH]) {
      const match = search(each, folded);
      if (match) return tokens(match[1]);
    }
  }
  return [];
}

const bareName = (word) => stripMarks(fold(word)).replace(/'s$/, "").replace(/’s$/, "").replace(/^[.'’]+|[.'’]+$/g, "");

export class Demand {
  constructor(rules, question, pages) {
    this.rules = rules;
    this.kind = question.kind;
    this.asked = question.text;
    const names = properNames(rules, question.text);
    this.measure = question.kind === "how_many" ? measureAsked(rules, question.text) : null;
    this.relations = relationsAsked(rules, fold(question.text));
    this.things = new Set(thingsAsked(rules, question));
    this.names = names.flatMap(tokens);
    this.called = names.join(" ").split(/\s+/u).filter(Boolean).map(bareName);
    this.defined = question.kind === "definition" ? definedIn(rules, question.text) : "";
    this.subjects = namedPages(question.text, pages);
    this.leftOf = new Map();
    const last = relationAskedLast(rules, question.text);
    if (this.subjects.length) {
      const equal = (a, b) => a.size === b.size && [...a].every((each) => b.has(each));
      const own = pages.filter((page) => this.subjects.some((terms) => equal(terms, new Set(tokens(page.title)))));
      const said = own
        .flatMap((page) => page.sentences.filter((each) => this.speaksOf(page, each.heading, each.text)))
        .map((each) => nameKey(each.text))
        .join(" ");
      const further = pages.filter((page) => !own.includes(page) && said.includes(nameKey(page.title)));
      this.subjects = [...this.subjects, ...further.map((page) => new Set(tokens(page.title)))];
      this.leftOf = new Map();
    }
    this.relations = last;
  }

  supports(page, heading, sentence) {
    return (
      !starts(this.rules.basis.POINTS, fold(sentence)) &&
      this.saysMore(page, sentence) &&
      this.hasForm(page, sentence) &&
      this.speaksOf(page, heading, sentence) &&
      this.isAbout(page, heading, sentence)
    );
  }

  saysMore(page, sentence) {
    if (this.kind === "yes_no") return true;
    const known = new Set([...tokens(this.asked), ...tokens(page.title)]);
    const names = tokens(properNames(this.rules, sentence).join(" "));
    return [...contentWords(sentence), ...names].some((term) => !known.has(term));
  }

  hasForm(page, sentence) {
    const { rules, kind } = this;
    const folded = fold(this.asked);
    if (kind === "how_many") {
      const fresh = beyond(sentence, this.asked);
      if (this.measure) return saysMeasure(rules, this.measure, fresh);
      return holds(rules.forms.NUMBER, replace(rules.forms.IN_A_YEAR, fold(fresh), " "));
    }
    if (kind === "when") {
      const year = holds("\\byear\\b|\\bnăm nào\\b|哪一?年", folded);
      const past = holds("\\b(?:was|were|did)\\b", folded);
      return saysDate(rules, beyond(sentence, this.asked), year, !past);
    }
    if (kind === "where") {
      if (holds(rules.basis.ENDPOINT, folded) && !holds(rules.basis.ROUTE, fold(sentence))) return false;
      return holds(rules.basis.ORIGIN, folded) || holds(rules.forms.LOCATED, fold(sentence));
    }
    if (kind === "who") {
      const left = new Set(this.left(page).flatMap((word) => [...word]));
      return saysPerson(rules, sentence, `${this.asked} ${page.title}`, left);
    }
    if (kind === "why") return holds(rules.forms.CAUSE, fold(sentence));
    return true;
  }

  speaksOf(page, heading, sentence) {
    const written = `${heading} ${sentence}`;
    const held = new Set(tokens(written));
    const holdsWord = (word) => [...word].some((form) => held.has(form) || ([...form].length === 1 && written.includes(form)));
    let left = this.left(page);
    const told = this.relations.some((says) => holds(says, fold(written)));
    if (this.things.size) {
      if (holdsWord(this.things)) return true;
      if (this.kind === "how_many") return told;
      left = left.filter((word) => ![...word].some((form) => this.things.has(form)));
      const most = 2 * left.filter(holdsWord).length >= left.length;
      return most && (told || (left.length > 0 && !this.relations.length));
    }
    if (!left.length || told || left.some(holdsWord)) return true;
    return this.kind === "where" && !this.relations.length && holds(this.rules.basis.LIES, fold(sentence));
  }

  isAbout(page, heading, sentence) {
    const above = [page.title, ...page.aliases, heading].join(" . ");
    if (this.defined && !holdsName(`${above} . ${sentence}`, this.defined)) return false;
    if (!this.subjects.length) return !this.called.length || this.called.some((name) => page.plain.includes(name));
    const held = new Set(tokens(`${page.title} ${page.aliases.join(" ")} ${heading} ${sentence}`));
    return this.subjects.some((terms) => [...terms].every((term) => held.has(term)));
  }

  /* What is left of the question beside its subject and the words that only ask. */
  left(page) {
    if (this.leftOf.has(page)) return this.leftOf.get(page);
    const known = new Set([...this.names, ...tokens([page.title, ...page.aliases].join(" ")), ...this.subjects.flatMap((terms) => [...terms])]);
    const asking = new Set(this.rules.basis.ASKING);
    const words = new Map();
    for (const term of queryTerms(this.asked)) {
      if (isUnspaced(term.words)) continue;
      if (!words.has(term.words)) words.set(term.words, new Set());
      verbForms(term.text).forEach((form) => words.get(term.words).add(form));
    }
    const left = [...words]
      .filter(([word, forms]) => ![...forms].some((form) => known.has(form)) && !asking.has(fold(word)))
      .map(([, forms]) => forms);
    let han = this.asked;
    for (const name of [page.title, ...page.aliases].sort((a, b) => b.length - a.length)) han = han.replaceAll(name || "\u0000", " ");
    for (const run of replace(this.rules.basis.HAN_FRAME, han, " ").match(/[\u3400-\u9fff]+/g) ?? []) {
      const pairs = new Set(tokens(run).filter((term) => !known.has(term)));
      if (pairs.size) left.push(pairs);
    }
    this.leftOf.set(page, left);
    return left;
  }
}

// -- questions that only name pages -------------------------------------------------------------

export function topicOf(rules, question) {
  const written = bareQuestion(question);
  const bare = (name) => replace(rules.frames.ARTICLE, name, "");
  for (const each of rules.frames.TOPIC) {
    const match = whole(each, written);
    if (match) return bare(named(match));
  }
  return bare(written);
}

export function sidesOf(rules, question) {
  const written = bareQuestion(question);
  for (const each of rules.frames.SIDES) {
    const match = search(each, written);
    if (match) return ["a", "b"].map((name) => replace(rules.frames.ARTICLE, match.groups[name].trim(), ""));
  }
  return null;
}

export function pageCalled(name, pages) {
  const key = (each) => ownTerms(fold(each)).join(" ");
  const wanted = key(name);
  const plain = stripMarks(fold(name));
  return pages.find((page) => wanted && [page.title, ...page.aliases].some((own) => key(own) === wanted || stripMarks(nameKey(own)) === plain)) ?? null;
}

export function leading(rules, page, most) {
  const { TELLS, SHORTEST, LOOKED_AT, DEFINES } = rules.frames;
  const long = page.sentences.filter((each) => holds(TELLS, each.text) && tokens(each.text).length >= SHORTEST);
  const telling = long.length ? long : page.sentences;
  const title = new Set(tokens(page.title));
  const held = telling.slice(0, LOOKED_AT).map((each) => {
    const said = new Set(tokens(each.text));
    return [...title].filter((term) => said.has(term)).length;
  });
  const defines = telling.slice(0, LOOKED_AT).map((each) => holds(DEFINES, fold(each.text)));
  const at = (wanted) => held.findIndex((count, number) => wanted(count) && defines[number]);
  const all = at((count) => count === title.size);
  const half = at((count) => 2 * count >= title.size);
  const first = held.length && held[0] === title.size ? 0 : all >= 0 ? all : Math.max(0, half);
  const found = telling.slice(first, first + most);
  return found.filter((each) => each.heading === found[0].heading).map((sentence) => ({ page, sentence }));
}
