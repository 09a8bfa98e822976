import type { EmitEvent } from "../events/event.ts";
import { createAttachment, type Attachment } from "../memory/attachment.ts";
import { PLANNER, type Post } from "../memory/post.ts";
import type { PostBuilder } from "../roles/role.ts";

/** Builds a turn's Post and tells watchers of each piece. */
export function createPostBuilder(options: {
  /** The same for a turn that is taken up again: listeners know whose text they are to forget. */
  id: string;
  sendFrom: string;
  /** Where the Post goes unless the role says otherwise. */
  defaultReceiver: string;
  emit: EmitEvent;
}): { builder: PostBuilder; build(): Post } {
  const { id, sendFrom, emit } = options;
  let sendTo = options.defaultReceiver;
  let addressed = false;
  let message = "";
  let attachments: Attachment[] = [];

  function tellAttachment(attachment: Attachment, delta: string, isEnd: boolean): void {
    emit(
      "post_attachment",
      {
        attachment_id: attachment.id,
        attachment_type: attachment.type,
        delta,
        is_end: isEnd,
        ...(attachment.extra === undefined ? {} : { extra: attachment.extra }),
      },
      id,
    );
  }

  emit("post_start", { role: sendFrom }, id);
  const builder: PostBuilder = {
    id,
    status: (status) => emit("post_status", { status }, id),
    write(text) {
      if (text === "") return;
      message += text;
      emit("post_message", { delta: text, is_end: false }, id);
    },
    attach(type, content, extra) {
      const attachment = createAttachment(type, content, extra);
      attachments.push(attachment);
      tellAttachment(attachment, Array.isArray(content) ? content.join("\n") : content, true);
    },
    attachStreaming(type) {
      const attachment = createAttachment(type, "");
      attachments.push(attachment);
      return {
        write(text) {
          attachment.content += text;
          if (text !== "") tellAttachment(attachment, text, false);
        },
        end: () => tellAttachment(attachment, "", true),
      };
    },
    sendTo(alias) {
      if (addressed && alias === sendTo) return;
      sendTo = alias;
      addressed = true;
      emit("post_send_to", { send_to: alias }, id);
    },
    withdraw(reason) {
      message = "";
      attachments = [];
      emit("post_error", { message: reason }, id);
    },
  };

  return {
    builder,
    build() {
      emit("post_message", { delta: "", is_end: true }, id);
      return { id, sendFrom, sendTo, message, attachments };
    },
  };
}

/** Who a Post of this role goes to by default: a worker answers the Planner, also when it was correcting itself. */
export function defaultReceiver(alias: string, lastPost: Post): string {
  return alias === PLANNER || lastPost.sendFrom === alias ? PLANNER : lastPost.sendFrom;
}
