/* Text as the wiki's index reads it: patterns, spellings, terms, language. The same steps as
   citewiki.text; word lists and patterns come from there, in ask/rules.json. */

const WORD = "\\p{L}\\p{N}_";
const EDGE = `(?:(?<=[${WORD}])(?![${WORD}])|(?<![${WORD}])(?=[${WORD}]))`; // \b knows ASCII alone
const made = new Map(); // rule → kind of use → regular expression

const AROUND = { part: ["", ""], start: ["^(?:", ")"], whole: ["^(?:", ")$"], every: ["", ""] };

/* A pattern of the rules as a regular expression, for one kind of use. */
export function pattern(rule, use = "part") {
  let uses = made.get(rule);
  if (!uses) made.set(rule, (uses = {}));
  if (!uses[use]) {
    const [before, after] = AROUND[use];
    const source = (rule.pattern ?? rule).replaceAll("\\b", EDGE);
    uses[use] = new RegExp(before + source + after, `v${rule.flags ?? ""}${use === "every" ? "g" : ""}`);
  }
  uses[use].lastIndex = 0;
  return uses[use];
}
export const holds = (rule, text) => pattern(rule).test(text);
export const search = (rule, text) => pattern(rule).exec(text);
export const whole = (rule, text) => pattern(rule, "whole").exec(text);
export const starts = (rule, text) => pattern(rule, "start").exec(text);
export const every = (rule, text) => [...text.matchAll(pattern(rule, "every"))];
export const replace = (rule, text, by) => text.replace(pattern(rule, "every"), by);

export let rules; // of ask/rules.json, once they are set
let stopTerms;
let functionWords;
let vietnamesePlain;
let verbs;

/* Take in ask/rules.json. */
export function setRules(given) {
  rules = given;
  stopTerms = new Set(rules.tokens.STOP_TERMS);
  functionWords = Object.fromEntries(
    Object.entries(rules.words.FUNCTION_WORDS).map(([code, list]) => [code, new Set(list)]),
  );
  const others = new Set(rules.language.LATIN.filter((code) => code !== "vi").flatMap((code) => [...functionWords[code]]));
  vietnamesePlain = new Set([...functionWords.vi].map(stripMarks).filter((word) => !others.has(word)));
  verbs = new Map();
  for (const forms of rules.verbs.FORMS) for (const form of forms) verbs.set(form, forms);
  chunks.clear();
}

// -- spellings ----------------------------------------------------------------------------------

const ascii = (text) => !/[^\x00-\x7f]/.test(text);
export const fold = (text) =>
  ascii(text)
    ? text.toLowerCase()
    : text.normalize("NFKC").toLowerCase().replace(/ß/g, "ss").replace(/ς/g, "σ").normalize("NFKC");
const EXTRA = { đ: "d", Đ: "D", ø: "o", Ø: "O", ł: "l", Ł: "L" };
export const stripMarks = (text) =>
  ascii(text)
    ? text
    : text
        .replace(/[đĐøØłŁ]/g, (char) => EXTRA[char])
        .normalize("NFD")
        .replace(/([\x00-\x7f]|\p{sc=Latin})\p{Mn}+/gu, "$1")
        .normalize("NFC");
export const nameKey = (text) => fold(text.normalize("NFC")).replace(/\s+/g, " ").trim();

// -- terms --------------------------------------------------------------------------------------

const MARKS =
  "\\u0300-\\u036f\\u0591-\\u05c7\\u0610-\\u061a\\u064b-\\u065f\\u0900-\\u0dff\\u0e31-\\u0e4e\\u1000-\\u109f";
const RUN = new RegExp(
  `(?:(?<![${WORD}])\\.(?=[A-Za-z]))?[${WORD}${MARKS}]+(?:[-.'’‑\\/&][${WORD}${MARKS}]+)*` +
    `(?:\\+\\+\\p{Nd}*|#)?(?![A-Za-z0-9_])|[${WORD}${MARKS}]+`,
  "gu",
);
const SCRIPTS = [
  "\\u3005-\\u3007\\u3041-\\u30ff\\u31f0-\\u31ff\\u3400-\\u9fff\\uf900-\\ufaff\\u{20000}-\\u{3ffff}",
  "\\u1100-\\u11ff\\uac00-\\ud7ff",
  "\\u0e01-\\u0e4e",
  "\\u0e81-\\u0ecd",
  "\\u1000-\\u109f",
  "\\u1780-\\u17d3",
];
const UNSPACED = new RegExp(`(${SCRIPTS.map((each) => `[${each}]+`).join("|")})`, "u");
const FIRST_UNSPACED = new RegExp(`^[${SCRIPTS.join("")}]`, "u");
const PART = new RegExp(
  `\\p{Nd}+(?:\\.\\p{Nd}+)+(?![\\p{L}\\p{N}])|[\\p{L}\\p{Nl}\\p{No}]+(?=\\p{Nd}+\\.\\p{Nd})` +
    `|[\\p{L}\\p{N}${MARKS}]+(?:\\+\\+|#)?`,
  "gu",
);
const NUMBER = /^[vV]?(\p{Nd}+(?:\.\p{Nd}+)+)$/u;
const HOLDS_NUMBER = /[vV]?\p{Nd}+(?:\.\p{Nd}+)+/u;
const NUMBERED = /^([\p{L}\p{Nl}\p{No}]{2,}|[vV])(\p{Nd}+)$/u;
const HUMP = /(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/;
const LONGEST = 60; // characters of a word
const chunks = new Map();

export const isUnspaced = (run) => FIRST_UNSPACED.test(run);
export const isStop = (term) => stopTerms.has(term) || stopTerms.has(fold(term));
const words = (text) => text.split(/\s+/u).filter(Boolean);
const unique = (list) => [...new Set(list)];

function runs(chunk) {
  const found = chunk.normalize("NFKC").replace(/(?<=\d),(?=\d{3}(?!\d))/g, "").match(RUN) ?? [];
  return found.flatMap((run) => run.split(UNSPACED).filter(Boolean));
}

/* An English word without its plural, -ed and -ing; see text.tokens.stem. */
export function stem(word) {
  if (word.length < 4 || !/^[A-Za-z]+$/.test(word)) return word;
  if (word.endsWith("s") && !"su".includes(word.at(-2))) {
    word = /(?:sses|shes|ches|xes|zes)$/.test(word) ? word.slice(0, -2) : word.slice(0, -1);
  }
  for (const ending of ["ing", "ed"]) {
    const base = word.slice(0, -ending.length);
    if (word.endsWith(ending) && base.length > 2 && /[aeiouy]/.test(base)) {
      return base.at(-1) === base.at(-2) && !"lsz".includes(base.at(-1)) ? base.slice(0, -1) : base;
    }
  }
  if (word.endsWith("e") && word.length > 4) return word.slice(0, -1);
  if (word.endsWith("y") && !"aeiou".includes(word.at(-2))) return word.slice(0, -1) + "i";
  return word;
}

function bare(run) {
  let word = run.slice(0, LONGEST).replaceAll("’", "'").replaceAll("‑", "-");
  if (/'[sS]$/.test(word)) word = word.slice(0, -2);
  return word.replace(/^_+|_+$/g, "") || word;
}

const letters = (word) => /^\p{L}+$/u.test(word);
export const isLower = (text) => text === text.toLowerCase() && text !== text.toUpperCase();
export const isUpper = (text) => text === text.toUpperCase() && text !== text.toLowerCase();
const isSimple = (word) => letters(word) && (isLower(word.slice(1)) || isUpper(word) || word.length === 1);

function parts(word) {
  if (word.includes("/")) return word.split("/").filter(Boolean);
  const found = word.match(PART) ?? [];
  if (found.length !== 1 || found[0] !== word) return found;
  if (word.includes(".")) return word.split(".").length > 2 ? word.split(".") : [];
  const numbered = NUMBERED.exec(word);
  if (numbered) return numbered.slice(1);
  const humps = word.split(HUMP);
  return humps.length > 1 && !isUpper(word) ? humps : [];
}

function alsoSolid(word, found) {
  if (/[/']/.test(word) || HOLDS_NUMBER.test(word)) return false;
  return found.some((part) => part.length === 1 || !letters(part)) || /[._&]/.test(word);
}

function wordTerms(word) {
  const found = [stem(fold(word))];
  if (isSimple(word)) return found;
  const pieces = parts(word);
  const number = NUMBER.exec(word);
  if (number) found.push(`.${number[1]}`);
  else if (pieces.length > 1 && alsoSolid(word, pieces)) found.push(stem(fold(pieces.join(""))));
  for (const part of pieces) {
    if (part.length > 1 || /^\p{N}$/u.test(part) || word.includes("-")) found.push(...wordTerms(part));
  }
  return found;
}

function terms(run) {
  if (isUnspaced(run)) {
    const chars = [...run];
    return chars.length < 2 ? [run] : unique(chars.slice(1).map((char, at) => chars[at] + char));
  }
  const found = wordTerms(bare(run));
  if (!ascii(run)) found.push(...found.map((term) => stem(stripMarks(term))));
  return unique(found);
}

/* The terms of a text in reading order. */
export function tokens(text) {
  const found = [];
  for (const chunk of words(text)) {
    let known = chunks.get(chunk);
    if (!known) {
      known = runs(chunk).flatMap((run) => (isUnspaced(run) ? pairsOf(run) : terms(run)));
      chunks.set(chunk, known);
    }
    found.push(...known);
  }
  return found;
}

function pairsOf(run) {
  const chars = [...run];
  return chars.length < 2 ? [run] : chars.slice(1).map((char, at) => chars[at] + char);
}

/* The terms that a question looks for: {text, weight, words}; see text.tokens.query_terms. */
export function queryTerms(text) {
  const found = new Map();
  for (const run of words(text).flatMap(runs)) {
    const paired = isUnspaced(run);
    terms(run).forEach((term, place) => {
      const weight = paired || place === 0 ? 1 : rules.tokens.VARIANT_WEIGHT;
      const known = found.get(term);
      if (!known || known.weight < weight) found.set(term, { text: term, weight, words: run });
    });
  }
  const all = [...found.values()];
  const content = all.filter((term) => !isStop(term.text) && !isStop(term.words));
  return content.length ? content : all;
}

/* Pairs of words side by side, neither a stop word. */
export function neighbours(text) {
  const pairs = new Map();
  let before = "";
  for (const chunk of words(text)) {
    for (const run of runs(chunk)) {
      const term = isUnspaced(run) || isStop(run) ? "" : terms(run)[0];
      if (before && term && before !== term) pairs.set(`${before} ${term}`, [before, term]);
      before = term;
    }
    if (".,;:!?".includes(chunk.at(-1))) before = "";
  }
  return [...pairs.values()];
}

/* One term for every word; a run of an unspaced script stays whole. */
export const ownTerms = (text) =>
  words(text)
    .flatMap(runs)
    .map((run) => (isUnspaced(run) ? run : terms(run)[0]));

export const contentWords = (text) => unique(tokens(text)).filter((term) => !stopTerms.has(term));
export const verbForms = (term) => verbs.get(term) ?? [term];

// -- language -----------------------------------------------------------------------------------

const matches = (source, text) => (text.match(new RegExp(source, "gu")) ?? []).length;

/* ISO 639-1, "" unknown; see text.language. */
export function language(text) {
  const { SCRIPTS: scripts, HIRAGANA, LETTERS_PER_WORD, IN_SCRIPT } = rules.language;
  const sample = text.slice(0, 5000).normalize("NFC").toLowerCase();
  const found = every(rules.language.WORD, sample).map((match) => match[0]);
  if (ascii(sample)) return found.length ? latin(found, sample) : "";
  const counts = Object.fromEntries(scripts.map(([code, source]) => [code, matches(source, sample)]));
  const kana = Math.max(matches(HIRAGANA, sample) * 8, counts.ja * 2);
  [counts.ja, counts.zh] = kana >= counts.zh ? [kana && counts.ja + counts.zh, 0] : [0, counts.ja + counts.zh];
  const script = Object.keys(counts).reduce((best, code) => (counts[code] > counts[best] ? code : best));
  const spelt = found.filter((word) => word[0] <= "\u024f" || ("\u1e00" <= word[0] && word[0] <= "\u1eff")).length;
  if (counts[script] && counts[script] >= spelt * (LETTERS_PER_WORD[script] ?? 5)) {
    const [other, letters] = IN_SCRIPT[script] ?? [script, "[^\\s\\S]"];
    return matches(letters, sample) ? other : script;
  }
  return spelt ? latin(found, sample) : "";
}

function latin(found, sample) {
  const { LATIN, LETTERS, VIETNAMESE } = rules.language;
  const scores = Object.fromEntries(LATIN.map((code) => [code, 0]));
  const folded = found.map(fold);
  for (const word of folded) {
    const known = LATIN.filter((code) => functionWords[code].has(word));
    for (const code of known) scores[code] += 1 / known.length;
  }
  for (const code in LETTERS) scores[code] += matches(LETTERS[code], sample) / 2;
  if (!ascii(sample)) scores.vi += found.filter((word) => matches(VIETNAMESE, word)).length;
  const best = LATIN.reduce((one, code) => (scores[code] > scores[one] ? code : one));
  const most = Math.max(scores[best], 1);
  if (found.length > most && found.filter((word) => vietnamesePlain.has(word)).length > most) return "vi";
  return scores[best] > 0 ? best : found.length > 1 ? "en" : "";
}
