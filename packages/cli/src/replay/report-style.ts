/** The style sheet of the report: light and dark by the reader's system, one column on a phone. */
export const reportStyle = `
:root{color-scheme:light dark;--bg:#fbfaf8;--card:#fff;--ink:#1d1b18;--quiet:#6a655d;--line:#e2ddd4;--good:#20703f;--diff:#8a5200;--bad:#a8261c;--cut:#4b50a8;--gone:#fdeceb;--come:#e7f5ec}
@media(prefers-color-scheme:dark){:root{--bg:#161513;--card:#1f1d1a;--ink:#ece8e1;--quiet:#a39c91;--line:#37332d;--good:#6cc990;--diff:#e7b261;--bad:#f08d84;--cut:#a9adf5;--gone:#3a2220;--come:#1d3226}}
*{box-sizing:border-box}
body{margin:0;background:var(--bg);color:var(--ink);font:16px/1.5 system-ui,sans-serif}
main{max-width:60rem;margin:0 auto;padding:1.5rem 1rem 4rem}
h1{margin:0;font-size:1.6rem}h2{margin:2.2rem 0 .4rem;font-size:1.2rem}h3{margin:0;font-size:1rem;overflow-wrap:anywhere}
p{margin:.4rem 0}code,pre{font:.875em/1.5 ui-monospace,monospace}
a{color:inherit}
.quiet{color:var(--quiet);font-size:.9rem}.bad{color:var(--bad)}
.count{color:var(--quiet);font-weight:400}
.cards{display:grid;grid-template-columns:repeat(auto-fit,minmax(8rem,1fr));gap:.6rem;margin-top:1.2rem}
.card{background:var(--card);border:1px solid var(--line);border-left:.3rem solid var(--line);border-radius:.5rem;padding:.6rem .8rem;text-decoration:none}
.card strong{display:block;font-size:1.6rem;line-height:1.2}
.card.same{border-left-color:var(--good)}.card.different{border-left-color:var(--diff)}.card.failed{border-left-color:var(--bad)}.card.diverged{border-left-color:var(--cut)}
a.card:hover,a.card:focus-visible{outline:2px solid var(--quiet)}
.scroll{overflow-x:auto}
table{border-collapse:collapse;background:var(--card);border:1px solid var(--line)}
th,td{padding:.35rem .8rem;border-bottom:1px solid var(--line);text-align:left;font-weight:400}
thead th{color:var(--quiet);font-size:.9rem}
article{background:var(--card);border:1px solid var(--line);border-radius:.5rem;padding:.8rem 1rem;margin:.7rem 0}
.ids{overflow-wrap:anywhere}.said{white-space:pre-wrap;overflow-wrap:anywhere;border-left:.2rem solid var(--line);padding-left:.7rem}
.plain{list-style:none;margin:.5rem 0;padding:0}.plain li{margin:.3rem 0;overflow-wrap:anywhere}
.badge{display:inline-block;border-radius:.3rem;padding:0 .45rem;font-size:.85rem;white-space:nowrap}
.gone{background:var(--gone)}.come{background:var(--come)}
.cut{border-left:.2rem solid var(--cut);padding-left:.7rem;overflow-wrap:anywhere}
.texts{display:grid;grid-template-columns:1fr 1fr;gap:.6rem;margin:.6rem 0}
figure{margin:0;min-width:0}figcaption{color:var(--quiet);font-size:.85rem}
pre{margin:.2rem 0 0;padding:.5rem .7rem;border-radius:.4rem;white-space:pre-wrap;overflow-wrap:anywhere}
.texts figure:first-child pre{background:var(--gone)}.texts figure:last-child pre{background:var(--come)}
summary{cursor:pointer;color:var(--quiet)}
@media(max-width:40rem){.texts{grid-template-columns:1fr}.cards{grid-template-columns:1fr 1fr}th,td{padding:.35rem .5rem}}
`
