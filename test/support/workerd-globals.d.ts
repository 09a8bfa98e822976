/** What the sandbox driver uses of workerd when it uploads; tests that run it in Node upload nothing. */
declare class FixedLengthStream extends TransformStream<Uint8Array, Uint8Array> {
  constructor(length: number);
}
