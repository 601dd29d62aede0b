import { isNumeric } from './json.ts';

/** An element of a list, or a whole text that is no list: from `from` up to, but without, `to`. */
export type Part = { readonly from: number; readonly to: number };

export type ScanOptions = {
  /** What one part may cost: values and names, of which some count more. */
  readonly maxCost: number;
  readonly maxParts: number;
};

/** `whole`: the text is valid JSON if, and only if, each part is. */
export type ScanEnd = 'whole' | 'malformed' | 'tooCostly' | 'tooMany';

export type Scan = {
  readonly isList: boolean;
  readonly parts: readonly Part[];
  /** Scans on for about so many characters. Null: there is more to scan. */
  step(characters: number): ScanEnd | null;
};

const quote = 0x22;
const comma = 0x2c;
const minus = 0x2d;
const colon = 0x3a;
const backslash = 0x5c;
/** `[` and `{` differ in one bit, as do `]` and `}`. */
const opening = 0x5b;
const closing = 0x5d;

/** A new name takes `JSON.parse` about ten times as long as a value, and a long integer `parseJson`. */
const slowCost = 10;
/** V8 looks up a string of up to ten characters among all others, which takes longer than copying it. */
const copiedLength = 12;
/** Integers with fewer digits fit into a number. */
const longDigits = 16;
/** Names by which repeated ones are recognized. The requests of a client have fewer and shorter ones. */
const maxNames = 100;
const maxNameLength = 100;

const isBlank = (text: string): boolean => /^[ \t\n\r]*$/.test(text);

const createNameCost = (text: string): ((from: number, to: number) => number) => {
  const seen = new Set<string>();
  return (from, to) => {
    if (to - from > maxNameLength) return slowCost;
    const name = text.slice(from, to);
    if (seen.has(name)) return 1;
    if (seen.size < maxNames) seen.add(name);
    return slowCost;
  };
};

/** The current position of a scan. */
type Place = { at: number; depth: number; isInString: boolean; stringFrom: number; stringTo: number };

/** Moves to the end of the string, or to `end`. */
const skipString = (text: string, place: Place, end: number): void => {
  let { at } = place;
  for (; at < end; at += 1) {
    const code = text.charCodeAt(at);
    if (code === backslash) at += 1;
    else if (code === quote) {
      place.isInString = false;
      place.stringTo = at + 1;
      at += 1;
      break;
    }
  }
  place.at = at;
};

const stringCost = ({ stringFrom, stringTo }: Place): number =>
  stringTo - stringFrom <= copiedLength ? 1 : 0;

/** Moves to the last character of the number, and returns its cost. */
const skipNumber = (text: string, place: Place): number => {
  const start = place.at;
  while (isNumeric(text.charCodeAt(place.at + 1))) place.at += 1;
  return place.at + 1 - start >= longDigits ? slowCost : 0;
};

/**
 * Finds the top-level elements of a JSON text in steps, without parsing them, and adds up what it will cost to
 * parse each of them. The text begins with `[` or `{`.
 */
export const createScan = (text: string, { maxCost, maxParts }: ScanOptions): Scan => {
  const isList = text.charCodeAt(0) === opening;
  /** The bracket of a list is not part of an element. */
  const start = isList ? 1 : 0;
  const place: Place = { at: start, depth: start, isInString: false, stringFrom: 0, stringTo: 0 };
  const nameCost = createNameCost(text);
  const parts: Part[] = [];
  let from = start;
  let cost = 0;

  const endPart = (to: number): void => {
    parts.push({ from, to });
    from = to + 1;
    cost = 0;
  };
  const readSign = (code: number): void => {
    const bracket = code & ~0x20;
    if (code === quote) {
      place.isInString = true;
      place.stringFrom = place.at;
    } else if (code === comma && place.depth === 1 && isList) endPart(place.at);
    else if (code === comma) cost += 1;
    else if (code === colon) cost += nameCost(place.stringFrom, place.stringTo) - stringCost(place);
    else if (bracket === opening) {
      place.depth += 1;
      cost += 1;
    } else if (bracket === closing) place.depth -= 1;
    else if (code === minus || (code >= 0x30 && code <= 0x39)) cost += skipNumber(text, place);
  };
  const finish = (): ScanEnd => {
    if (!isBlank(text.slice(place.at))) return 'malformed';
    if (isList && text.charCodeAt(place.at - 1) !== closing) return 'malformed';
    const to = place.at - start;
    const isEmpty = isList && parts.length === 0 && isBlank(text.slice(from, to));
    if (!isEmpty) endPart(to);
    return 'whole';
  };
  const step = (characters: number): ScanEnd | null => {
    const end = Math.min(place.at + characters, text.length);
    while (place.at < end) {
      if (place.isInString) {
        skipString(text, place, end);
        if (!place.isInString) cost += stringCost(place);
      } else {
        readSign(text.charCodeAt(place.at));
        place.at += 1;
        if (cost > maxCost) return 'tooCostly';
        if (parts.length >= maxParts) return 'tooMany';
        if (place.depth === 0) return finish();
      }
    }
    return place.at < text.length ? null : 'malformed';
  };
  return { isList, parts, step };
};
