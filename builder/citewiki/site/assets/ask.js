/* The Ask page: the form, and the answer below it. The engine and its index load when something is
   asked; everything comes from this site, and nothing is sent. */
const form = document.querySelector("[data-cw-ask]");
const field = form.querySelector("input");
const shown = document.querySelector("[data-cw-answer]");
const root = new URL(form.dataset.cwRoot, location.href);
let asking = 0; // the number of the question at hand

const element = (name, text = "", attributes = {}) => {
  const made = document.createElement(name);
  if (text) made.textContent = text;
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
};

async function load(address) {
  const reply = await fetch(new URL(address, root));
  if (!reply.ok) throw new Error(`${address}: ${reply.status}`);
  return new Uint8Array(await reply.arrayBuffer());
}

const json = async (address) => JSON.parse(new TextDecoder().decode(await load(address)));

let engine; // made at the first question
async function start() {
  const [text, find, answer, rules, table] = await Promise.all([
    import("./ask-text.js"),
    import("./ask-find.js"),
    import("./ask-answer.js"),
    json("ask/rules.json"),
    json("ask/pages.json"),
  ]);
  text.setRules(rules);
  const index = new find.Index(table, rules, load);
  return (question) => answer.ask(index, question);
}

/* The page's address at the sentence; browsers that know no text fragments open its top. */
function addressOf(url, quote = "") {
  const address = new URL(url.split("/").map(encodeURIComponent).join("/"), root);
  if (!quote) return address.href;
  const part = (words) => encodeURIComponent(words).replace(/-/g, "%2D");
  const words = quote.split(" ");
  const long = words.length > 12;
  const said = long ? `${part(words.slice(0, 5).join(" "))},${part(words.slice(-4).join(" "))}` : part(quote);
  return `${address.href}#:~:text=${said}`;
}

const pageLink = ({ url, title }, quote) => element("a", title, { href: addressOf(url, quote) });

function showAnswer({ claims, refusal, missing }) {
  if (refusal) {
    const box = element("section", "", { class: "cw-refused" });
    box.append(element("p", refusal.message, { class: "cw-said" }));
    if (refusal.available.length) {
      const list = element("ul");
      for (const page of refusal.available) {
        const item = element("li");
        item.append(pageLink(page));
        list.append(item);
      }
      box.append(list);
    }
    box.append(element("p", refusal.next, { class: "cw-small" }));
    return [box];
  }
  const list = element("ol", "", { class: "cw-claims" });
  for (const claim of claims) {
    const item = element("li");
    const cited = element("p", "", { class: "cw-cited" });
    cited.append(pageLink(claim, claim.quote));
    if (claim.heading) cited.append(` › ${claim.heading}`);
    item.append(element("p", claim.text, { class: "cw-said" }), cited);
    list.append(item);
  }
  const rest = missing.map((part) => element("p", `No page answers “${part}”`, { class: "cw-small" }));
  return [list, ...rest];
}

async function ask(question) {
  const number = ++asking;
  shown.replaceChildren(element("p", "Looking through the pages …"));
  shown.setAttribute("aria-busy", "true");
  let found;
  try {
    engine ??= start();
    found = showAnswer(await (await engine)(question));
  } catch (error) {
    engine = undefined;
    found = [element("p", `The pages could not be read (${error.message}). Ask again, or reload the page.`)];
  }
  if (number !== asking) return; // another question came meanwhile
  shown.removeAttribute("aria-busy");
  shown.replaceChildren(...found);
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  const question = field.value.trim();
  if (!question) return;
  history.replaceState(null, "", `?question=${encodeURIComponent(question)}`);
  ask(question);
});

const given = new URLSearchParams(location.search).get("question");
if (given) {
  field.value = given;
  if (given.trim()) ask(given.trim());
} else if (matchMedia("(pointer: fine)").matches) field.focus({ preventScroll: true });
