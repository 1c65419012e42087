"use strict";
// Finds places by words that begin as those of the query do. Titles come before texts.

/** Makes the search of an index; scripts/lib/docsite/search.py describes its form. */
function makeSearch(index) {
  const names = [], lists = [];
  for (const line of index.words.split("\n")) {
    const space = line.indexOf(" ");
    names.push(line.slice(0, space));
    lists.push(line.slice(space + 1));
  }
  const fold = (text) => text.replaceAll("’", "'").normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
  const words = (text) => (fold(text).match(/[a-z0-9_]+(?:[-.'][a-z0-9_]+)*/g) || []).slice(0, 8);
  const titles = index.places.map(([page, , section]) => fold(`${section} ${section ? "" : index.pages[page][1]}`).trim());

  /** The first place in the sorted names that is not before a word. */
  function lowerBound(word) {
    let low = 0, high = names.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (names[middle] < word) low = middle + 1; else high = middle;
    }
    return low;
  }

  /** The places that have a word that begins so, each with whether it is the whole word. */
  function places(prefix) {
    const found = new Map();
    for (let at = lowerBound(prefix); at < names.length && names[at].startsWith(prefix); at++) {
      let place = 0;
      for (const step of lists[at].split(",")) {
        place += parseInt(step, 36);
        found.set(place, found.get(place) || names[at] === prefix);
      }
    }
    return found;
  }

  function score(place, asked, exact) {
    const [page, , section] = index.places[place];
    const title = titles[place], parts = title.split(/[^a-z0-9_]+/);
    let points = 0;
    asked.forEach((word, at) => {
      if (parts.includes(word)) points += 60;
      else if (parts.some((part) => part.startsWith(word))) points += 40;
      else if (title.includes(word)) points += 25;
      else if (exact[at] !== undefined) points += exact[at] ? 6 : 3;
    });
    if (title === asked.join(" ")) points += 60;
    else if (title.startsWith(asked.join(" "))) points += 25;
    if (!section) points *= 1.3;
    return points / (1 + title.length / 400) * index.pages[page][3];
  }

  /** The words that are looked for: single letters, as of “A/B”, only where there are no others. */
  function askedIn(text) {
    const all = words(text), long = all.filter((word) => word.length > 1);
    return long.length ? long : all;
  }

  function find(text, limit) {
    const asked = askedIn(text), lists = asked.map(places), counts = new Map();
    for (const list of lists) for (const place of list.keys()) counts.set(place, (counts.get(place) || 0) + 1);
    // Where no place has all words, those that have the most of them.
    const most = Math.max(0, ...counts.values());
    const hits = [];
    for (const [place, count] of counts) {
      if (count === most) hits.push([score(place, asked, lists.map((list) => list.get(place))), place]);
    }
    hits.sort((a, b) => b[0] - a[0] || a[1] - b[1]);
    return hits.slice(0, limit).map(([, place]) => {
      const [page, anchor, section, summary] = index.places[place], [address, title, kind] = index.pages[page];
      return { address: address + (anchor ? `#${anchor}` : ""), page: title, section, kind, summary };
    });
  }
  return { find, words: askedIn };
}
if (typeof module !== "undefined") module.exports = { makeSearch };
