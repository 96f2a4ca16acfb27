/** The style sheet of the report, light and dark. */
export const STYLE = `
:root { color-scheme: light dark; --paper: #fff; --ink: #1b1f24; --soft: #59636e; --line: #d1d9e0; --box: #f6f8fa;
  --deny: #b3261e; --ask: #8a5a00; --mark: #0550ae; --ok: #1a6e34; --unclear: #6639ba; --outside: #fff1e5; --user: #e9f6ec; --work: #eef4ff;
  --high: #ffc9c2; --medium: #ffe2a8; --low: #d6eaff; }
@media (prefers-color-scheme: dark) { :root { --paper: #0d1117; --ink: #e6edf3; --soft: #9aa4af; --line: #343b44; --box: #161b22;
  --deny: #ff8f85; --ask: #f0b84b; --mark: #79b8ff; --ok: #7ad192; --unclear: #d2a8ff; --outside: #2b2117; --user: #14271a; --work: #16202f;
  --high: #6b2420; --medium: #5c4310; --low: #163a5c; } }
* { box-sizing: border-box; }
body { overflow-wrap: anywhere; margin: 0 auto; max-width: 62rem; padding: 1.5rem 1rem 4rem; background: var(--paper); color: var(--ink); font: 16px/1.5 system-ui, sans-serif; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.15rem; margin-top: 2rem; } h3 { font-size: .9rem; font-weight: 500; margin: 0 0 .3rem; color: var(--soft); }
h3 b { color: var(--ink); } small, .soft { color: var(--soft); font-weight: 400; }
table { border-collapse: collapse; margin: .5rem 0; } th { white-space: nowrap; } th, td { text-align: left; padding: .2rem 1rem .2rem 0; border-bottom: 1px solid var(--line); } td.n { text-align: right; font-variant-numeric: tabular-nums; }
.columns { display: flex; flex-wrap: wrap; gap: 0 4rem; }
.bar { display: flex; height: 1.1rem; border-radius: .3rem; overflow: hidden; border: 1px solid var(--line); margin: .8rem 0 .4rem; }
.bar span { display: block; } .bar .denied { background: var(--deny); } .bar .asked { background: var(--ask); } .bar .marked { background: var(--mark); } .bar .unclear { background: var(--unclear); } .bar .untouched { background: var(--box); }
strong.denied, strong.deny { color: var(--deny); } strong.asked, strong.ask { color: var(--ask); } strong.marked { color: var(--mark); } strong.unclear { color: var(--unclear); } strong.untouched, strong.allow { color: var(--ok); }
details.conversation { border: 1px solid var(--line); border-radius: .5rem; margin: .5rem 0; }
summary { padding: .5rem .8rem; cursor: pointer; overflow-wrap: anywhere; } summary:focus-visible { outline: 2px solid var(--mark); outline-offset: 1px; }
ol { list-style: none; margin: 0; padding: 0 .8rem .8rem 2.6rem; position: relative; }
ol > li { border: 1px solid var(--line); border-left-width: .3rem; border-radius: .3rem; padding: .5rem .7rem; margin: .5rem 0; background: var(--box); }
li.user, li.system, li.policy { background: var(--user); border-left-color: var(--ok); } li.external, li.unknown { background: var(--outside); border-left-color: var(--ask); }
li.workspace, li.retrieved { background: var(--work); border-left-color: var(--mark); } li.call { margin-left: 3rem; background: var(--paper); } li.call.deny { border-color: var(--deny); } li.call.ask { border-color: var(--ask); }
li.unclear { border-left-color: var(--unclear); } li.words { margin-left: 3rem; background: var(--paper); border-left-color: var(--line); }
pre { margin: 0; font: .82rem/1.45 ui-monospace, monospace; white-space: pre-wrap; overflow-wrap: anywhere; }
mark { color: inherit; background: none; border-radius: .15rem; } mark.low { background: var(--low); } mark.medium { background: var(--medium); } mark.high { background: var(--high); }
mark.taken { outline: 2px solid var(--deny); outline-offset: -1px; } .gap { color: var(--soft); }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .1rem .8rem; margin: .2rem 0; font-size: .85rem; } dt { color: var(--soft); } dd { margin: 0; font-family: ui-monospace, monospace; overflow-wrap: anywhere; }
dd.held { outline: 2px solid var(--deny); outline-offset: 1px; border-radius: .15rem; } p { margin: .3rem 0; }
svg.arrows { position: absolute; inset: 0; width: 100%; height: 100%; pointer-events: none; overflow: visible; } svg.arrows path { fill: none; stroke: var(--deny); stroke-width: 1.6; opacity: .75; }
svg.arrows .head { fill: var(--deny); stroke: none; }
.legend { display: flex; flex-wrap: wrap; gap: .3rem 1.2rem; padding: 0; margin: .5rem 0; list-style: none; font-size: .85rem; } .legend li::before { content: ''; display: inline-block; width: .9rem; height: .9rem; margin-right: .4rem; border: 1px solid var(--line); border-radius: .2rem; vertical-align: -.1rem; }
.legend .own::before { background: var(--user); border-left: .25rem solid var(--ok); } .legend .shared::before { background: var(--work); border-left: .25rem solid var(--mark); } .legend .outside::before { background: var(--outside); border-left: .25rem solid var(--ask); }
.legend .high::before { background: var(--high); } .legend .medium::before { background: var(--medium); } .legend .low::before { background: var(--low); } .legend .taken::before { border: 2px solid var(--deny); }
@media (max-width: 40rem) { ol { padding: 0 .5rem .5rem 1.5rem; } li.call, li.unclear { border-left-color: var(--unclear); } li.words { margin-left: .5rem; } dl { grid-template-columns: 1fr; } }
`;

/** The script of the report: draws the arrows when a conversation is opened or the window is resized. */
export const BEHAVIOUR = `
const NS = 'http://www.w3.org/2000/svg';
function draw(list) {
  list.querySelector('svg.arrows')?.remove();
  const svg = document.createElementNS(NS, 'svg');
  svg.setAttribute('class', 'arrows');
  svg.setAttribute('aria-hidden', 'true');
  const frame = list.getBoundingClientRect();
  const gutter = parseFloat(getComputedStyle(list).paddingLeft);
  let lane = 0;
  // In the margin, so that arrows do not cover text: out of the box of the content, down, into the box of the call.
  for (const target of list.querySelectorAll('[data-from]')) {
    const from = document.getElementById(target.dataset.from);
    if (!from) continue;
    const [a, b] = [from.getClientRects()[0], target.getBoundingClientRect()];
    const edge = (element) => element.closest('li').getBoundingClientRect().left - frame.left;
    const [x1, y1, x2, y2] = [edge(from), a.top + a.height / 2 - frame.top, edge(target) - 2, b.top + b.height / 2 - frame.top];
    const x = gutter - 8 - (lane++ * 5) % Math.max(6, gutter - 14);
    const path = document.createElementNS(NS, 'path');
    path.setAttribute('d', 'M' + x1 + ' ' + y1 + ' H' + (x + 5) + ' Q' + x + ' ' + y1 + ' ' + x + ' ' + (y1 + 5) + ' V' + (y2 - 5) + ' Q' + x + ' ' + y2 + ' ' + (x + 5) + ' ' + y2 + ' H' + x2);
    const head = document.createElementNS(NS, 'path');
    head.setAttribute('class', 'head');
    head.setAttribute('d', 'M' + x2 + ' ' + y2 + ' l-7 -4 l0 8 z');
    svg.append(path, head);
  }
  list.append(svg);
}
const open = () => document.querySelectorAll('details.conversation[open] > ol').forEach(draw);
document.addEventListener('toggle', (event) => event.target.open && event.target.matches('.conversation') && draw(event.target.querySelector('ol')), true);
addEventListener('resize', open);
open();
`;
