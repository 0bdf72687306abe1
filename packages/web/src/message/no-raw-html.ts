/**
 * In place of rehype-raw, which Streamdown brings along: HTML in a model's text is not parsed at all. What is no Markdown
 * is dropped by the sanitiser, and 60 kB of HTML parser are not loaded.
 */
export default function noRawHtml(): void {}
