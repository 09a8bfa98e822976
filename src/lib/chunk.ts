/** Cuts a list into parts of at most so many items and so much size; an item over the size is a part of its own. */
export function chunk<Item>(
  items: Item[],
  limit: { count: number; size: number },
  sizeOf: (item: Item) => number,
): Item[][] {
  const parts: Item[][] = [];
  let part: Item[] = [];
  let size = 0;
  for (const item of items) {
    const itemSize = sizeOf(item);
    if (part.length === limit.count || (part.length > 0 && size + itemSize > limit.size)) {
      parts.push(part);
      part = [];
      size = 0;
    }
    part.push(item);
    size += itemSize;
  }
  return part.length > 0 ? [...parts, part] : parts;
}
