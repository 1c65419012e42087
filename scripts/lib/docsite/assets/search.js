"use strict";
// Finds places by words: every word of the query has to begin one of the place's. Titles come before texts.

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
      else points += exact[at] ? 6 : 3;
    });
    if (title === asked.join(" ")) points += 60;
    else if (title.startsWith(asked.join(" "))) points += 25;
    if (!section) points *= 1.3;
    return points / (1 + title.length / 400) * index.pages[page][3];
  }

  function find(text, limit) {
    const asked = words(text);
    if (!asked.length) return [];
    const lists = asked.map(places).sort((a, b) => a.size - b.size);
    const order = asked.map(places);
    const hits = [];
    for (const place of lists[0].keys()) {
      if (!order.every((list) => list.has(place))) continue;
      hits.push([score(place, asked, order.map((list) => list.get(place))), place]);
    }
    hits.sort((a, b) => b[0] - a[0] || a[1] - b[1]);
    return hits.slice(0, limit).map(([, place]) => {
      const [page, anchor, section, summary] = index.places[place], [address, title, kind] = index.pages[page];
      return { address: address + (anchor ? `#${anchor}` : ""), page: title, section, kind, summary };
    });
  }
  return { find, words };
}
if (typeof module !== "undefined") module.exports = { makeSearch };
