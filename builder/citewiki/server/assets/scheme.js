// Light or dark as chosen on the site, before anything is painted; without a choice, the system's.
try {
  const kept = JSON.parse(localStorage.getItem("/.__palette"));
  const scheme = kept && kept.color && kept.color.scheme;
  const follows = kept && kept.color && kept.color.media === "(prefers-color-scheme)";
  if (scheme && !follows) document.documentElement.dataset.scheme = scheme === "slate" ? "dark" : "light";
} catch { /* no storage, or another form of it: the system decides */ }
