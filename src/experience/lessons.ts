/** A lesson that was found for a query. */
export interface Lesson {
  id: string;
  text: string;
  /** The folder that it lies in, below the base folder. */
  subPath: string;
  /** How near it is to the query, on the scale of `experience.retrieve_threshold`. */
  score: number;
}

export interface LessonQuery {
  /**
   * The name under which the role's knowledge is filed: `planner`, `code_generator`, …; null for
   * what is every role's, undefined for whatever there is.
   */
  role: string | null | undefined;
  query: string;
  /** Only lessons of this very folder are found, none of its sub-folders. */
  subPath: string;
  limit: number;
}

export interface FoundLessons {
  /** Best first. */
  lessons: Lesson[];
  /** False when nobody knows of such a folder. */
  folderExists: boolean;
}

/**
 * The lessons that a tenant's roles may learn from: those of the project's files, which are everybody's, and the
 * tenant's own. Asking costs one round trip to the database, two where a folder holds hundreds of lessons, and doesn't
 * read them all.
 */
export interface LessonSource {
  find(query: LessonQuery): Promise<FoundLessons>;
}
