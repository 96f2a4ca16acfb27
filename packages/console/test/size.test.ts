import { readdirSync, readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';

const dist = new URL('../dist/pages/', import.meta.url);
const MAX_FIRST_LOAD = 200_000;

const zipped = (file: string): number => gzipSync(readFileSync(new URL(file, dist))).length;

test('the first load is at most 200 kB gzipped, with the largest view', () => {
  const page = readFileSync(new URL('index.html', dist), 'utf8');
  const first = [...page.matchAll(/(?:src|href)="\/console\/(assets\/[^"]+)"/g)].map(([, file]) => file as string);
  const others = readdirSync(new URL('assets/', dist))
    .map((name) => `assets/${name}`)
    .filter((file) => !first.includes(file));
  const sum = (files: readonly string[]): number => files.reduce((total, file) => total + zipped(file), 0);
  expect(first.length).toBeGreaterThan(1);
  expect(sum(first) + Math.max(...others.map(zipped))).toBeLessThan(MAX_FIRST_LOAD);
  // All views together stay small too.
  expect(sum([...first, ...others])).toBeLessThan(MAX_FIRST_LOAD);
});

test('the page has no inline script or style, and names no other origin', () => {
  const page = readFileSync(new URL('index.html', dist), 'utf8');
  expect(page).not.toMatch(/<style|<script(?![^>]*\ssrc=)|\sstyle=|\son\w+=|https?:/);
});
