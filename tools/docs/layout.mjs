// Places the boxes of a graph in rows, so that every arrow points down, and bends arrows around the boxes in between.

const ROUNDS = 80;

/** @typedef {{ name: string, width: number, row: number, x: number, isBend: boolean }} Cell `x` is the centre */

/** The row of a node, counted from below: one above the highest that it points to. */
function rowsOf({ order, arrows }) {
  const rows = new Map();
  for (const name of order) rows.set(name, Math.max(-1, ...[...arrows.get(name)].map((to) => rows.get(to))) + 1);
  return rows;
}

/** Cells in rows. An arrow over several rows has a bend in each row that it passes. */
function cellsOf(graph, widthOf) {
  const rows = rowsOf(graph);
  const cells = new Map(
    graph.order.map((name) => [name, { name, width: widthOf(name), row: rows.get(name), x: 0, isBend: false }]),
  );
  const links = [];
  const arrows = [];
  for (const [from, tos] of graph.arrows)
    for (const to of tos) {
      const chain = [cells.get(from)];
      for (let row = rows.get(from) - 1; row > rows.get(to); row--) {
        const bend = { name: `${from} > ${to} ${row}`, width: 12, row, x: 0, isBend: true };
        cells.set(bend.name, bend);
        chain.push(bend);
      }
      chain.push(cells.get(to));
      arrows.push({ from, to, chain });
      for (let at = 1; at < chain.length; at++) links.push([chain[at - 1], chain[at]]);
    }
  return { cells: [...cells.values()], links, arrows };
}

/** The positions nearest to the wanted ones that keep the order and the gaps; neighbours that collide move together. */
function spread(row, wanted, gap) {
  const blocks = [];
  let offset = 0;
  const offsets = row.map((cell, at) => {
    if (at > 0) offset += (row[at - 1].width + cell.width) / 2 + gap;
    return offset;
  });
  for (const [at, want] of wanted.entries()) {
    blocks.push({ sum: want - offsets[at], count: 1 });
    while (blocks.length > 1) {
      const [before, last] = blocks.slice(-2);
      if (before.sum / before.count <= last.sum / last.count) break;
      blocks.splice(-2, 2, { sum: before.sum + last.sum, count: before.count + last.count });
    }
  }
  const starts = blocks.flatMap(({ sum, count }) => Array(count).fill(sum / count));
  for (const [at, cell] of row.entries()) cell.x = starts[at] + offsets[at];
}

/**
 * @param {import('./imports.mjs').Graph} graph
 * @param {(name: string) => number} widthOf
 * @param {number} gap between boxes of a row
 */
export function layOut(graph, widthOf, gap) {
  const { cells, links, arrows } = cellsOf(graph, widthOf);
  const count = Math.max(...cells.map(({ row }) => row)) + 1;
  const rows = Array.from({ length: count }, (_, row) => cells.filter((cell) => cell.row === row));
  for (const row of rows)
    spread(
      row,
      row.map(() => 0),
      gap,
    );
  const neighbours = new Map(cells.map((cell) => [cell, []]));
  for (const [one, other] of links) {
    neighbours.get(one).push(other);
    neighbours.get(other).push(one);
  }
  for (let round = 0; round < ROUNDS; round++)
    for (const row of round % 2 === 0 ? rows : [...rows].reverse()) {
      const wantOf = (cell) => {
        const near = neighbours.get(cell);
        return near.length === 0 ? cell.x : near.reduce((sum, { x }) => sum + x, 0) / near.length;
      };
      const wants = new Map(row.map((cell) => [cell, wantOf(cell)]));
      if (round < ROUNDS / 2) row.sort((one, other) => wants.get(one) - wants.get(other));
      spread(
        row,
        row.map((cell) => wants.get(cell)),
        gap,
      );
    }
  return { cells, arrows, rows: count };
}
