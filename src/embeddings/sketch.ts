/** Bits of a sketch. More find more surely and weigh more; measured in docs/decisions. */
const BITS = 512;
const WORDS = BITS / 32;
/** The distance of vectors that have nothing to do with each other. */
export const UNRELATED = BITS / 2;

/**
 * The sides on which a vector lies of so many random planes, a bit each: the share of equal bits of two sketches tells
 * the angle between their vectors, whatever model made them. Too coarse to rank by, good for leaving out what is far.
 */
export function sketchOf(vector: ArrayLike<number>): Uint32Array {
  const sums = new Float32Array(BITS);
  for (let dimension = 0; dimension < vector.length; dimension++) {
    const value = vector[dimension]!;
    if (value === 0) continue;
    const plane = planeOf(dimension);
    for (let bit = 0; bit < BITS; bit++) sums[bit]! += value * plane[bit]!;
  }
  const sketch = new Uint32Array(WORDS);
  for (let bit = 0; bit < BITS; bit++) if (sums[bit]! > 0) sketch[bit >>> 5]! |= 1 << (bit & 31);
  return sketch;
}

export function packSketches(sketches: Uint32Array[]): string {
  const all = new Uint32Array(sketches.length * WORDS);
  for (const [index, sketch] of sketches.entries()) all.set(sketch, index * WORDS);
  return new Uint8Array(all.buffer).toBase64();
}

/** The distance (bits that differ) of each of a chunk's sketches from one. */
export function distances(packed: string, from: Uint32Array): Uint16Array {
  const all = new Uint32Array(Uint8Array.fromBase64(packed).buffer);
  const found = new Uint16Array(all.length / WORDS);
  for (let index = 0; index < found.length; index++) {
    let distance = 0;
    for (let word = 0; word < WORDS; word++) distance += countBits(all[index * WORDS + word]! ^ from[word]!);
    found[index] = distance;
  }
  return found;
}

function countBits(given: number): number {
  let word = given - ((given >>> 1) & 0x5555_5555);
  word = (word & 0x3333_3333) + ((word >>> 2) & 0x3333_3333);
  return Math.imul((word + (word >>> 4)) & 0x0f0f_0f0f, 0x0101_0101) >>> 24;
}

const planes: Int8Array[] = [];

/** On which side of each plane a dimension lies: 1 or -1. */
function planeOf(dimension: number): Int8Array {
  return (planes[dimension] ??= Int8Array.from({ length: BITS }, (_, bit) =>
    (randomBits(dimension * WORDS + (bit >>> 5)) >>> (bit & 31)) & 1 ? 1 : -1,
  ));
}

/** The same bits for the same number, everywhere and always: sketches are kept. */
function randomBits(seed: number): number {
  let bits = Math.imul(seed + 1, 0x9e37_79b1);
  bits = Math.imul(bits ^ (bits >>> 16), 0x85eb_ca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2_ae35);
  return (bits ^ (bits >>> 16)) >>> 0;
}
