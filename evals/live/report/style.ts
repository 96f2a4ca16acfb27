import { STYLE as REPLAY } from '../../../apps/cli/src/replay/draw/style.ts';

/** The style of the report of `sallyport replay`, with bars. */
export const STYLE = `${REPLAY}
.measures { width: 100%; table-layout: fixed; } .measures th { white-space: normal; width: 18rem; font-weight: 500; vertical-align: middle; } .measures td { padding-right: 0; }
.measures thead th { font-weight: 400; color: var(--soft); font-size: .85rem; } .measures td.n, .measures th.n { width: 12.5rem; text-align: right; white-space: nowrap; }
.bars { display: grid; gap: 3px; padding: .35rem 0; } .track { position: relative; height: .75rem; background: var(--box); border-radius: .2rem; }
.track span { position: absolute; inset: 0 auto 0 0; border-radius: .2rem; } .track.without span { background: var(--soft); opacity: .55; } .track.with span { background: var(--mark); }
.track i { position: absolute; top: 50%; height: 2px; margin-top: -1px; background: var(--ink); box-shadow: 0 0 0 1px var(--paper); } .track i::before, .track i::after { content: ''; position: absolute; top: -3px; height: 8px; width: 2px; background: var(--ink); box-shadow: 0 0 0 1px var(--paper); } .track i::before { left: 0; } .track i::after { right: 0; }
.values { display: grid; gap: 3px; font-size: .8rem; line-height: .95rem; font-variant-numeric: tabular-nums; } .values b { font-weight: 600; }
.key { display: flex; gap: 1.4rem; list-style: none; padding: 0; font-size: .9rem; } .key li::before { content: ''; display: inline-block; width: .9rem; height: .75rem; margin-right: .45rem; border-radius: .2rem; } .key .without::before { background: var(--soft); opacity: .55; } .key .with::before { background: var(--mark); }
.facts { display: flex; flex-wrap: wrap; gap: 0 2.5rem; margin: .6rem 0 1rem; } .facts div { display: grid; } .facts dt, .facts dd { font-family: inherit; } dl.facts { display: flex; }
.note { margin: .2rem 0 .8rem; border-left: .3rem solid var(--ask); background: var(--box); padding: .4rem .8rem; border-radius: .3rem; } details { margin: .4rem 0; } details table { margin-left: 1rem; font-size: .9rem; }
.costs th { font-weight: 500; } .costs th, .costs td { padding-right: 2.5rem; } .costs thead th { text-align: right; font-weight: 400; color: var(--soft); font-size: .85rem; } td.r { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
@media (max-width: 48rem) { .measures th { width: 8rem; } .measures td.n, .measures th.n { width: 7.5rem; } .values small { display: none; } }
`;
