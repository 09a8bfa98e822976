import * as z from "zod";
import type { Attachment } from "../memory/attachment.ts";
import type { Post } from "../memory/post.ts";
import { pluginSpec, type PluginSpec } from "../plugins/plugin.ts";

/** A worked conversation that shows a role how it is done. */
export interface Example {
  /** Its file's, without the ending. */
  name: string;
  /** Folder below the role's base folder; empty for the base folder itself. */
  subPath: string;
  rounds: { userQuery: string; posts: Post[] }[];
  /** Shown with this example only. */
  plugins: PluginSpec[];
}

const attachment = z.object({
  type: z.string().min(1),
  content: z.union([z.string(), z.array(z.string())]),
  id: z.string().nullish(),
  extra: z.unknown().optional(),
});

const post = z.object({
  message: z.string(),
  send_from: z.string().min(1),
  send_to: z.string().min(1),
  attachment_list: z.array(attachment).nullish(),
});

const round = z
  .object({
    user_query: z.string().optional(),
    User_query: z.string().optional(),
    state: z.string(),
    post_list: z.array(post).nullish(),
  })
  .refine(({ user_query, User_query }) => user_query !== undefined || User_query !== undefined, {
    message: "the round's request is missing",
    path: ["user_query"],
  });

/** An example's YAML: TaskWeaver's format, its older attachment types and the spelling of its documents included. */
export const exampleFile = z.object({
  enabled: z.boolean(),
  rounds: z.array(round).min(1),
  plugins: z.array(pluginSpec).nullish(),
});

/** Ids count up from the file's name: the same file compiles to the same text each time. */
export function toExample(file: z.infer<typeof exampleFile>, name: string, subPath: string): Example {
  let count = 0;
  const nextId = (prefix: string) => `${prefix}-${name}-${++count}`;

  /** `python` is what older files call a reply that is code. */
  function toAttachments({ type, content, extra }: z.infer<typeof attachment>): Attachment[] {
    if (type === "python") {
      return [
        { id: nextId("atta"), type: "reply_type", content: "python" },
        { id: nextId("atta"), type: "reply_content", content },
      ];
    }
    return [{ id: nextId("atta"), type, content, ...(extra ? { extra } : {}) }];
  }

  return {
    name,
    subPath,
    plugins: file.plugins ?? [],
    rounds: file.rounds.map(({ user_query, User_query, post_list }) => ({
      userQuery: user_query ?? User_query ?? "",
      posts: (post_list ?? []).map(({ message, send_from, send_to, attachment_list }) => ({
        id: nextId("post"),
        sendFrom: send_from,
        sendTo: send_to,
        message,
        attachments: (attachment_list ?? []).flatMap(toAttachments),
      })),
    })),
  };
}

/** Everybody who speaks or is spoken to in an example; it is shown only where all of them take part. */
export function castOf(example: Example): Set<string> {
  return new Set(
    example.rounds.flatMap(({ posts }) => posts.flatMap(({ sendFrom, sendTo }) => [sendFrom, sendTo])),
  );
}
