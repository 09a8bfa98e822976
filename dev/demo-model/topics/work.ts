/** Something that a short program can find out without any file. */
export interface Work {
  /** One sentence that asks for it; the same parser reads it back as the same work. */
  instruction: string;
  python: string;
}

/** Reads one kind of question; undefined when the text isn't of that kind. */
export type Topic = (text: string) => Work | undefined;
