/* A page's Markdown as sentences under headings. The same steps as citewiki.text.sentences and
   citewiki.markdown, without what only writing needs. */
import { isLower, isUpper, rules, starts, whole } from "./ask-text.js";

// -- sentences ----------------------------------------------------------------------------------

const CLOSERS = "\"'”’»)\\]}」』）】》〉］｝";
const STOPS = ".!?…。！？；｡．।॥؟۔։።။។";
const STOP = new RegExp(
  `(?:[${STOPS}]+((?:[${CLOSERS}*_]| ?''| [”)\\]](?=\\s|$))*)((?:\\[\\^?[^\\]\\[\\s]{1,60}\\])*))|\\n[^\\S\\n]*\\n\\s*`,
  "gu",
);
const BEFORE = /(?:[\p{L}\p{N}]|[./])*[\p{L}\p{N}](?=\s?$)/u;
const NEXT = /^\s*["'“‘«([*_`]*([\p{L}\p{N}]*)/u;

/* [start, end] of each sentence of plain prose; see text.sentences. */
export function sentenceSpans(text) {
  const spans = [];
  let start = 0;
  for (const match of text.matchAll(STOP)) {
    if (match[1] === undefined || ends(text, start, match)) {
      addSpan(spans, text, start, match.index + match[0].length);
      start = match.index + match[0].length;
    }
  }
  addSpan(spans, text, start, text.length);
  return spans;
}

function addSpan(spans, text, start, end) {
  for (const space of text.slice(start, end).matchAll(/[\u0e00-\u0e7f]([^\S\n]+)(?=[\u0e00-\u0e7f])/gu)) {
    const at = start + space.index + 1;
    if (at - start >= rules.sentences.THAI_LENGTH) {
      spans.push(trimmed(text, start, at));
      start = at + space[1].length;
    }
  }
  const span = trimmed(text, start, end);
  if (span[0] < span[1]) spans.push(span);
}

function trimmed(text, start, end) {
  while (start < end && /\s/u.test(text[start])) start++;
  while (end > start && /\s/u.test(text[end - 1])) end--;
  return [start, end];
}

function ends(text, start, match) {
  const end = match.index + match[0].length;
  if (end === text.length) return true;
  const stop = /^[^]*?(?=["'”’»)\]}」』）】》〉］｝*_\s[]|$)/u.exec(match[0])[0] || match[0][0];
  const { FULL_STOPS, GOES_ON } = rules.sentences;
  if (FULL_STOPS.includes(stop.at(-1)) && stop !== "…") {
    return !(match[1] && starts(rules.sentences.QUOTE_GOES_ON, text.slice(end))) && !GOES_ON.includes(text[end]);
  }
  if (!/\s/u.test(text[end])) {
    return !!starts(rules.sentences.CASELESS, text[end]) && !/\p{Nd}/u.test(text[match.index - 1] ?? "");
  }
  const word = NEXT.exec(text.slice(end, end + 80))?.[1] ?? "";
  if (word && isLower(word[0]) && ![...word.slice(1, 3)].some((letter) => isUpper(letter))) return false;
  return stop !== "." || !abbreviates(text, start, match.index, word);
}

function abbreviates(text, start, stop, following) {
  const from = Math.max(start, stop - 24);
  const found = BEFORE.exec(text.slice(from, stop));
  if (!found) return false;
  const word = found[0].toLowerCase();
  const next = following.toLowerCase();
  const { INTRODUCES, COUNTS, MAY_END, STARTERS, AFTER_ORDINAL } = rules.sentences;
  if (/^\p{Nd}+$/u.test(word)) {
    const opens = !text.slice(start, from + found.index).replace(/^[ \n\t*_(["'“]+/, "");
    return word.length <= 3 && (opens || AFTER_ORDINAL.includes(next));
  }
  if (INTRODUCES.includes(word) || (COUNTS.includes(word) && /^\p{Nd}/u.test(following))) return true;
  if (word.length === 1 && following.length === 1 && !"AI".includes(following)) return true;
  if ((word.length === 1 && isUpper(found[0])) || MAY_END.includes(word) || whole(rules.sentences.LETTER_STOPS, word)) {
    return !STARTERS.includes(next);
  }
  return false;
}

// -- Markdown -----------------------------------------------------------------------------------

/* What a reader sees of a line or paragraph. */
export function inline(text) {
  const kept = [];
  const keep = (shown) => `\u0002${kept.push(shown) - 1}\u0003`;
  const shown = text
    .replace(/(`+)(.+?)\1(?!`)/gs, (_, marks, code) => keep(code.trim()))
    .replace(/\\([!-/:-@[-`{-~])/g, (_, char) => keep(char))
    .replace(/!\[\[[^\]\n]*\]\]/g, "")
    .replace(/\[\[([^\]|\n]*)(?:\\?\|([^\]\n]*))?\]\]/g, (_, name, words) => keep(words ?? name))
    .replace(/\[\^[\p{L}\p{N}_][\p{L}\p{N}_.:\/\-]*\]/gu, "")
    .replace(/!?\[((?:[^[\]]|\[[^[\]]*\])*)\](?:\((?:<[^>\n]*>|[^\s()]*(?:\([^\s()]*\)[^\s()]*)*)(?:\s+(?:"[^"]*"|'[^']*'))?\)|\[[^\]\n]*\])(?:\{[:.#][^}\n]*\})?/g, "$1")
    .replace(/<((?:https?|mailto):[^>\s]+)>/g, "$1")
    .replace(/<\/?[A-Za-z][^>\n]*>/g, "")
    .replace(/(\*\*\*|\*\*|__|~~|==)(?=\S)(.+?)(?<=\S)\1/gs, "$2")
    .replace(/\*(?=\S)([^*]+?)(?<=\S)\*/g, "$1")
    .replace(/(?<![\p{L}\p{N}_])_(?=\S)([^_]+?)(?<=\S)_(?![\p{L}\p{N}_])/gu, "$1")
    .replace(/ \^[A-Za-z0-9-]+$/gm, "")
    .replace(/&(lt|gt|amp|quot|nbsp|#39);/g, (_, name) => ({ lt: "<", gt: ">", amp: "&", quot: '"', nbsp: " ", "#39": "'" })[name]);
  const put = (by) => shown.replace(/\u0002(\d+)\u0003/g, (_, number) => by(kept[number]));
  // As long as what is shown, with no stop inside code or links.
  return { text: put((each) => each), unstopped: put((each) => each.replace(/[.!?…。！？;；](?=.)/gs, "·")) };
}

const HIDDEN = /^[ \t]*(?:\[[^\]^\n]+\]:[ \t]+\S+.*|(?:!!!|\?\?\?\+?)[ \t].*|===[ \t]*["'].*|\[TOC\]|\{[:#.%][^}\n]*\}|\[![\w-]+\][-+]?.*|\^[\w-]+)[ \t]*$/;
const ITEM = /^[ \t]*((?:>[ \t]?)*)[ \t]*((?:(?:[-*+]|\d{1,9}[.)])(?:[ \t]+|$))+(?:\[[ xX]\][ \t]+)?|:[ \t]+)?/;
const RULE = /^[ \t>]*([-*_])[ \t]*(?:\1[ \t]*){2,}$/;
const TABLE_RULE = /^[ \t>]*\|?(?:[ \t]*:?-+:?[ \t]*\|)*[ \t]*:?-+:?[ \t]*\|?[ \t]*$/;
const NAVIGATION = /^\s*(?:(?:Part of|Previous:|Next:) \[\[[^[\]\n]+\]\]\.?\s*)+$/;

/* A body as blocks in reading order: {kind, text, start, end, level?, header?}. */
function blocks(body) {
  const found = [];
  let open = null;
  let header = null;
  let fence = "";
  let note = false;
  let blank = true;
  const close = () => {
    if (open) found.push(open);
    open = header = null;
  };
  const cells = (line) =>
    line.replace(/^[ \t>]*\|?/, "").replace(/\|[ \t]*$/, "").split(/(?<!\\)\|/).map((cell) => cell.trim());
  let start = 0;
  for (const line of body.split("\n")) {
    const end = start + line.length;
    const before = blank;
    blank = !line.trim();
    const mark = /^[ \t]*(?:>[ \t]?)*(?:[-*+][ \t]+|\d+[.)][ \t]+)?(```+|~~~+)/.exec(line)?.[1];
    if (fence) {
      if (mark && mark[0] === fence[0] && mark.length >= fence.length) fence = "";
    } else if (mark) {
      close();
      fence = mark;
    } else if (/^\[\^[^\]\n]+\]:/.test(line)) {
      close();
      note = true;
    } else if (note && (blank || /^(?: {4}|\t)/.test(line))) {
      close();
    } else {
      note = false;
      const heading = /^(#{1,6})(?:[ \t]+(.*?))??(?:[ \t]+#+)?[ \t]*$/.exec(line);
      if (blank || HIDDEN.test(line)) close();
      else if (/^(?: {4}|\t)/.test(line) && !open && before && !found.some((each) => each.kind === "item")) close();
      else if (heading) {
        close();
        if (heading[2]) {
          const own = /[ ]+\{:?[ ]*[^}\n]*\}[ ]*$/;
          found.push({ kind: "heading", level: heading[1].length, text: heading[2].replace(own, ""), start, end });
        }
      } else if (/^(?:=+|-+)[ \t]*$/.test(line) && open?.kind === "paragraph" && open.lines === 1) {
        found.push({ kind: "heading", level: line[0] === "=" ? 1 : 2, text: open.text, start: open.start, end });
        open = null;
      } else if (open && line.includes("|") && TABLE_RULE.test(line)) {
        const last = open.text.split("\n").at(-1);
        close();
        found.pop();
        header = cells(last);
      } else if (RULE.test(line)) close();
      else if (header) found.push({ kind: "row", cells: cells(line), header, text: line, start, end });
      else {
        const [prefix, quote, item] = ITEM.exec(line);
        const text = line.slice(prefix.length).trimEnd();
        if (item || (quote && quote.includes(">") !== open?.quoted)) close();
        if (!text || (quote && HIDDEN.test(text))) close();
        else if (open) {
          open.text += `\n${text}`;
          open.lines++;
          open.end = end;
        } else open = { kind: item ? "item" : "paragraph", text, start, end, lines: 1, quoted: quote.includes(">") };
      }
    }
    start = end + 1;
  }
  close();
  return found;
}

const oneLine = (text) =>
  text
    .replace(/(?<=[\u3000-\u9fff\uff00-\uffef])[ \t]*\n\s*(?=[\u3000-\u9fff\uff00-\uffef])/gu, "")
    .split(/\s+/u)
    .filter(Boolean)
    .join(" ");

/* A page's published Markdown: {body, passages, sentences}. A passage is {path, start, end}; a
   sentence {text, heading, start, item, path}. */
export function readPage(markdown) {
  const body = markdown
    .replace(/^---\n[^]*?\n---\n/, "")
    .replace(/<!--[^]*?-->/g, (found) => found.replace(/[^\n]/g, " "))
    .replace(/%%[^]*?%%/g, (found) => found.replace(/[^\n]/g, " "));
  const found = blocks(body);
  const above = [];
  const passages = [{ path: [], start: 0, end: body.length }];
  const sentences = [];
  let number = 0;
  for (const block of found) {
    if (block.kind === "heading") {
      const text = oneLine(inline(block.text).text);
      while (above.length && above.at(-1).level >= block.level) above.pop();
      above.push({ level: block.level, text });
      passages.at(-1).end = block.start;
      passages.push({ path: above.map((each) => each.text), start: block.start, end: body.length });
      continue;
    }
    const passage = passages.at(-1);
    const heading = passage.path.at(-1) ?? "";
    const add = (text, at) => {
      if (/[\p{L}\p{N}]/u.test(text)) {
        sentences.push({ text, heading, path: passage.path, start: block.start + at, block: number, item: block.kind === "item" && at === 0 });
      }
    };
    number++;
    if (block.kind === "row") {
      const names = block.header.map((cell) => inline(cell).text);
      const told = block.cells.map((cell, at) => [inline(cell).text.trim(), names[at] ?? ""]);
      add(oneLine(told.filter(([cell]) => cell).map(([cell, name]) => (name ? `${name}: ${cell}` : cell)).join("; ")), 0);
    } else if (!NAVIGATION.test(body.slice(block.start, block.end))) {
      const seen = inline(block.text);
      const spans = sentenceSpans(seen.unstopped);
      spans.forEach(([first, last], at) => add(oneLine(seen.text.slice(first, last)), at));
    }
  }
  return { body, passages: passages.filter((each) => each.start < each.end), sentences, blocks: found };
}
