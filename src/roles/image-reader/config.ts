import * as z from "zod";

export const imageReaderConfig = z.object({
  /** Of one image. Services refuse larger ones, mostly above 5 to 20 MB. */
  max_image_bytes: z.int().min(1).max(20_000_000).default(5_000_000),
  /** That the model is shown at once. */
  max_images: z.int().min(1).max(10).default(4),
  /** Whether addresses in the User's request are fetched. */
  allow_urls: z.boolean().default(true),
});
export type ImageReaderConfig = z.infer<typeof imageReaderConfig>;
