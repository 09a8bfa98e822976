/**
 * Turns texts into vectors whose cosine tells how near their meanings are. One model gives vectors of one dimension,
 * and only vectors of the same model can be compared.
 */
export interface Embedder {
  /** Names whatever decides the numbers, kind and version included: a vector is kept under it. */
  model: string;
  /** One vector a text, in their order. Rejects with an EmbeddingError when the service can't be reached or refuses. */
  embed(texts: string[]): Promise<Float32Array[]>;
  /**
   * What a cosine of this model is worth on the scale of `experience.retrieve_threshold`, on which 0.2 parts what has to
   * do with each other from what hasn't. The cosine itself, unless the model's lie elsewhere.
   */
  score?(cosine: number): number;
}

/** Texts can't be embedded now. Whoever wanted it goes on without, or with the lexical embedder. */
export class EmbeddingError extends Error {
  readonly code = "embedding_failed";
}

/** The embedders of a deployment. */
export interface Embedders {
  /** What texts are embedded by from now on. */
  current: Embedder;
  /** Needs neither network nor key, so it can always be asked: what can't be compared otherwise is compared by it. */
  lexical: Embedder;
  /** By the name that a vector is kept under, as long as its model can still be asked. */
  named(model: string): Embedder | undefined;
}
