const PAGE = 65536;
/** Where a snapshot's header says that the memory begins. */
const START = 1;
// Before it is given a limit: what a session had when it was suspended, it has again.
const { grow } = WebAssembly.Memory.prototype;

/** The memory of a session that was suspended may be larger than a new one, and Pyodide copies it without looking. So
 *  the next WebAssembly memory grows to the snapshot's size as soon as it is there. */
export function makeRoomFor(snapshot) {
  const header = new Uint32Array(snapshot.buffer.slice(snapshot.byteOffset, snapshot.byteOffset + 8));
  const size = snapshot.length - header[START];
  const { instantiate } = WebAssembly;
  WebAssembly.instantiate = async (...given) => {
    const made = await instantiate(...given);
    const { memory } = (made.instance ?? made).exports;
    if (!memory) return made;
    WebAssembly.instantiate = instantiate;
    const missing = size - memory.buffer.byteLength;
    if (missing > 0) grow.call(memory, missing / PAGE);
    return made;
  };
  return snapshot;
}
