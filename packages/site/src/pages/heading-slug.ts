/** The anchor of a heading, as GitHub makes it: the links in docs/ work on both. */
export const headingSlug = (title: string): string =>
  title
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-')
