import { expect, test } from 'vitest';
import { firstLoad, firstPage } from '../stress/first-load.mjs';

const MAX_FIRST_LOAD = 200_000;

test('the first load is at most 200 kB gzipped, with the largest view', () => {
  expect(firstLoad()).toBeLessThan(MAX_FIRST_LOAD);
});

test('the page has no inline script or style, and names no other origin', () => {
  expect(firstPage()).not.toMatch(/<style|<script(?![^>]*\ssrc=)|\sstyle=|\son\w+=|https?:/);
});
