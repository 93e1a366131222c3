// The answer streams in; without this script the form loads a page that holds it.
const form = document.getElementById("ask");
const stage = document.getElementById("stage");
const box = document.getElementById("answer");
let running = null;

const words = {
  searching: () => "Searching the pages …",
  reading: (what) => what.length ? `Reading ${what.join(", ")} …` : "Nothing found to read …",
  judged: (what) => what.length ? "Checking what the pages say …" : "No page says it so far …",
};

async function ask() {
  if (running) running.abort();
  const mine = (running = new AbortController());
  const fields = new URLSearchParams();
  for (const [name, value] of new FormData(form)) {
    if (value) fields.append(name === "q" ? "question" : name, value);
  }
  box.replaceChildren();
  box.setAttribute("aria-busy", "true");
  form.classList.add("busy");
  stage.textContent = "Searching the pages …";
  try {
    const reply = await fetch("/ask/stream", { method: "POST", body: fields, signal: mine.signal });
    if (!reply.ok || !reply.body) throw new Error(reply.status === 429 ? "Too many questions; wait a minute." : "");
    const reader = reply.body.pipeThrough(new TextDecoderStream()).getReader();
    let rest = "", ended = false;
    for (;;) {
      const { value, done } = await reader.read();
      if (done) break;
      const lines = (rest + value).split("\n");
      rest = lines.pop();
      for (const line of lines) if (line) ended = told(JSON.parse(line)) || ended;
    }
    if (!ended) throw new Error("");
  } catch (error) {
    if (mine.signal.aborted) return;
    fault(error.message || "The server did not answer; ask again.");
  }
  if (mine !== running) return;
  box.removeAttribute("aria-busy");
  form.classList.remove("busy");
  stage.textContent = "";
}

function told(line) {
  if (line.stage === "done") {
    box.innerHTML = line.html; // escaped by the server's templates, as is the next
    const past = document.getElementById("past");
    if (past) past.innerHTML = line.past;
    return true;
  }
  if (line.stage === "failed") {
    fault(line.detail);
    return true;
  }
  stage.textContent = words[line.stage] ? words[line.stage](line.what) : "";
  if (line.stage === "judged" && line.what.length) {
    const claims = document.createElement("p");
    claims.className = "coming";
    claims.textContent = line.what.join(" ");
    box.replaceChildren(claims);
  }
  return false;
}

function fault(text) {
  const shown = document.createElement("p");
  shown.className = "fault";
  shown.setAttribute("role", "alert");
  shown.textContent = text;
  box.replaceChildren(shown);
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  const fields = new URLSearchParams();
  for (const [name, value] of new FormData(form)) if (value) fields.append(name, value);
  history.pushState(null, "", `/ask?${fields}`);
  document.title = `${form.elements.q.value} · Ask`;
  ask();
});
addEventListener("popstate", () => location.reload());
