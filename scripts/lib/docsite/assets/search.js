"use strict";
// Finds places by words that begin as those of the query do. Titles come before texts.

const kana = "\u3041-\u309f",
    katakana = "\u30a1-\u30fa\u30fc-\u30ff",
    han = "\u3005-\u3007\u3400-\u9fff";
const isJapanese = new RegExp(`[${kana}${katakana}${han}]`);
/** Words of Latin letters; and of Japanese, which has no spaces, what is written in one script. */
const wordPattern = new RegExp(`[a-z0-9_]+(?:[-.'][a-z0-9_]+)*|[${katakana}]+|[${han}]+|[${kana}]+`, "g");
const fold = (text) =>
    text
        .replaceAll("’", "'")
        .normalize("NFKD")
        .replace(/[\u0300-\u036f]/g, "")
        .normalize("NFC")
        .toLowerCase();

/**
 * The words that are looked for: single letters, as of “A/B”, and what joins Japanese words, only where there are no
 * others.
 */
function askedIn(text) {
    const all = (fold(text).match(wordPattern) || []).slice(0, 8);
    const joins = new RegExp(`^(?:[a-z0-9_]|[${kana}]{1,2})$`);
    const long = all.filter((word) => !joins.test(word));
    return long.length ? long : all;
}

/** Makes the search of one index; scripts/lib/docsite/search.py describes its form. */
function makeSearch(index) {
    const names = [],
        lists = [];
    for (const line of index.words.split("\n")) {
        const space = line.indexOf(" ");
        names.push(line.slice(0, space));
        lists.push(line.slice(space + 1));
    }
    const titles = index.places.map(([page, , section]) =>
        fold(`${section} ${section ? "" : index.pages[page][1]}`).trim(),
    );

    /** The first place in the sorted names that is not before a word. */
    function lowerBound(word) {
        let low = 0,
            high = names.length;
        while (low < high) {
            const middle = (low + high) >> 1;
            if (names[middle] < word) low = middle + 1;
            else high = middle;
        }
        return low;
    }

    /** The places that have a word: of Japanese, those that have each two of its letters. */
    function places(word) {
        if (!isJapanese.test(word) || word.length < 3) return placesOf(word);
        const pairs = Array.from({ length: word.length - 1 }, (_, at) => placesOf(word.slice(at, at + 2)));
        return new Map([...pairs[0]].filter(([place]) => pairs.every((pair) => pair.has(place))));
    }

    /** The places that have a word that begins so, each with whether it is the whole word. */
    function placesOf(prefix) {
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
        const title = titles[place],
            parts = title.split(/[^a-z0-9_]+/);
        let points = 0;
        asked.forEach((word, at) => {
            if (parts.includes(word)) points += 60;
            else if (parts.some((part) => part.startsWith(word))) points += 40;
            else if (title.includes(word)) points += isJapanese.test(word) ? 50 : 25;
            else if (exact[at] !== undefined) points += exact[at] ? 6 : 3;
        });
        const whole = asked.join(""),
            wholeTitle = title.replaceAll(" ", "");
        if (wholeTitle === whole) points += 60;
        else if (wholeTitle.startsWith(whole)) points += 25;
        if (!section) points *= 1.3;
        return (points / (1 + title.length / 400)) * index.pages[page][3];
    }

    /** The places with the most of the words, each with its points, and how many words those are. */
    function hits(asked) {
        const lists = asked.map(places),
            counts = new Map(),
            found = [];
        for (const list of lists) for (const place of list.keys()) counts.set(place, (counts.get(place) || 0) + 1);
        // Where no place has all words, those that have the most of them.
        const most = Math.max(0, ...counts.values());
        for (const [place, count] of counts) {
            if (count === most)
                found.push({
                    points: score(
                        place,
                        asked,
                        lists.map((list) => list.get(place)),
                    ),
                    place,
                    index,
                });
        }
        return { most, found };
    }
    return { hits };
}

/**
 * Makes the search of several indexes: that of the reader's language, and behind it others, whose pages give way to
 * their translations.
 */
function makeSearches(indexes) {
    const searches = indexes.map(makeSearch);

    function find(text, limit) {
        const asked = askedIn(text),
            all = searches.map((search) => search.hits(asked)),
            most = Math.max(...all.map((one) => one.most));
        const hits = all.flatMap((one, at) =>
            one.most === most ? one.found.map((hit) => ({ ...hit, points: at ? hit.points * 0.6 : hit.points })) : [],
        );
        hits.sort((a, b) => b.points - a.points || a.place - b.place);
        const shown = hits.map(({ index, place }) => {
            const [page, anchor, section, summary] = index.places[place],
                [address, title, kind] = index.pages[page];
            return { page: address, address: address + (anchor ? `#${anchor}` : ""), title, section, kind, summary };
        });
        const there = new Set(shown.map((hit) => hit.page));
        return shown.filter((hit) => !there.has(indexes[0].translated[hit.page])).slice(0, limit);
    }
    return { find, words: askedIn };
}
if (typeof module !== "undefined") module.exports = { makeSearches };
