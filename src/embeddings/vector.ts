/** A vector as it is kept: a byte a dimension, as text, since D1 hands blobs over as lists of numbers. */
export function packVector(vector: Float32Array): string {
  let largest = 0;
  for (const number of vector) largest = Math.max(largest, Math.abs(number));
  const scale = largest === 0 ? 0 : 127 / largest;
  const bytes = new Int8Array(vector.length);
  for (let index = 0; index < vector.length; index++) bytes[index] = Math.round(vector[index]! * scale);
  return new Uint8Array(bytes.buffer).toBase64();
}

export function unpackVector(text: string): Int8Array {
  return new Int8Array(Uint8Array.fromBase64(text).buffer);
}

/** Zero for vectors of different models, and for one of nothing. */
export function cosine(left: ArrayLike<number>, right: ArrayLike<number>): number {
  if (left.length !== right.length) return 0;
  let product = 0;
  let leftSquares = 0;
  let rightSquares = 0;
  for (let index = 0; index < left.length; index++) {
    const [a, b] = [left[index]!, right[index]!];
    product += a * b;
    leftSquares += a * a;
    rightSquares += b * b;
  }
  return leftSquares === 0 || rightSquares === 0 ? 0 : product / Math.sqrt(leftSquares * rightSquares);
}
