import { postId } from "../lib/id.ts";
import { attachmentText, type Attachment } from "./attachment.ts";
import type { PostTrace } from "./post-trace.ts";

/** The alias under which people take part in the conversation. */
export const USER = "User";
/** The centre of the star: everybody but the User talks to it only. */
export const PLANNER = "Planner";

export interface Post {
  id: string;
  sendFrom: string;
  sendTo: string;
  message: string;
  attachments: Attachment[];
  /** What its role was shown for it, and what it cost. */
  trace?: PostTrace;
}

/** The Post that a round begins with: what the User asks, to the centre of the star. */
export function userPost({ id, userQuery }: { id: string; userQuery: string }): Post {
  return { id: postId(id, 0), sendFrom: USER, sendTo: PLANNER, message: userQuery, attachments: [] };
}

/** The contents of a post's attachments of one type, in order. */
export function attachmentsOf(post: Post, type: string): string[] {
  return post.attachments.filter((attachment) => attachment.type === type).map(attachmentText);
}
