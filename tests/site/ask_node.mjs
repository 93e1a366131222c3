// Answers of a built site's Ask page: node ask_node.mjs SITE, questions as a JSON list on stdin.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const site = process.argv[2];
const asset = (name) => import(pathToFileURL(join(site, "assets", name)));
const read = (address) => readFileSync(join(site, decodeURIComponent(address)));
const json = (address) => JSON.parse(read(address));
const [text, find, answer] = await Promise.all(["ask-text.js", "ask-find.js", "ask-answer.js"].map(asset));

const rules = json("ask/rules.json");
text.setRules(rules);
const loaded = [];
const load = async (address) => {
  const bytes = new Uint8Array(read(address));
  loaded.push([address, bytes.length]);
  return bytes;
};
const index = new find.Index(json("ask/pages.json"), rules, load);
const urls = (hits) => hits.map((hit) => index.urls[hit.page]);
const found = [];
for (const question of JSON.parse(readFileSync(0))) {
  loaded.length = 0;
  const { claims, refusal, missing, hits } = await answer.ask(index, question);
  const { hits: searched } = await find.searchPages(index, question, 10, true);
  found.push({ claims, refusal, missing, retrieved: urls(hits), searched: urls(searched), loaded: [...loaded] });
}
console.log(JSON.stringify(found));
