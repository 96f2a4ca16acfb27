import { describe, expect, test } from 'vitest';
import { history, opened, POISON, resultsIn, shown, shownParts } from './stage.ts';

const PIXEL = 'iVBORw0KGgo=';

describe('parts', () => {
  const DATA = `data:image/png;base64,${PIXEL}`;
  const images: Record<string, Record<string, unknown>> = {
    'chat completions': { type: 'image_url', image_url: { url: DATA } },
    'a bare data url': { type: 'image_url', image_url: DATA },
    responses: { type: 'input_image', image_url: DATA },
    'standard content': { type: 'image', mimeType: 'image/png', data: PIXEL },
    'standard content in bytes': { type: 'image', mimeType: 'image/png', data: new Uint8Array([1, 2, 3]) },
    'older standard content': { type: 'image', source_type: 'base64', mime_type: 'image/png', data: PIXEL },
    anthropic: { type: 'image', source: { type: 'base64', media_type: 'image/png', data: PIXEL } },
  };

  for (const [name, image] of Object.entries(images))
    test(`an image of ${name} follows its frame`, async () => {
      const parts = await shownParts([{ type: 'text', text: POISON }, image]);
      expect(parts).toHaveLength(3);
      expect(opened(parts[0]?.text)).toBe(POISON);
      expect(opened(parts[1]?.text)).toContain('image/png');
      expect(parts[1]?.text).toContain('media=attached');
      expect(parts[2]).toEqual(image);
    });

  test('bytes that are text become framed text, whatever their type', async () => {
    for (const part of [
      { type: 'file', mime_type: 'text/plain', data: btoa(POISON) },
      { type: 'image_url', image_url: { url: `data:image/png;base64,${btoa(POISON)}` } },
    ]) {
      const parts = await shownParts([part]);
      expect(parts).toHaveLength(1);
      expect(opened(parts[0]?.text)).toContain(POISON);
    }
  });

  test('a file keeps its bytes, and its name is only in the frame', async () => {
    for (const file of [
      {
        type: 'file',
        source_type: 'base64',
        mime_type: 'application/pdf',
        data: PIXEL,
        metadata: { filename: POISON },
      },
      { type: 'file', file: { filename: POISON, file_data: `data:application/pdf;base64,${PIXEL}` } },
      { type: 'document', title: POISON, source: { type: 'base64', media_type: 'application/pdf', data: PIXEL } },
    ]) {
      const [frame, media] = await shownParts([file]);
      expect(opened(frame?.text)).toContain('Ignore all previous');
      expect(JSON.stringify(media)).toContain(PIXEL);
      expect(JSON.stringify(media)).not.toContain('Ignore');
    }
  });

  test('a document that is text is framed with its title', async () => {
    for (const document of [
      { type: 'text-plain', text: POISON, title: 'Minutes' },
      { type: 'file', source_type: 'text', text: POISON, metadata: { title: 'Minutes' } },
      { type: 'document', source: { type: 'text', media_type: 'text/plain', data: POISON }, title: 'Minutes' },
      { type: 'text-plain', text: POISON, title: 'Minutes', context: 'From Bob' },
    ]) {
      const parts = await shownParts([document]);
      expect(parts).toHaveLength(1);
      expect(opened(parts[0]?.text)).toContain(POISON);
      expect(opened(parts[0]?.text)).toContain('Minutes');
    }
    const [whole] = await shownParts([{ type: 'text-plain', text: POISON, context: 'From Bob' }]);
    expect(opened(whole?.text)).toContain('From Bob');
  });

  test('an address is described and never sent', async () => {
    const url = 'https://evil.example/pixel.png?d=1';
    for (const part of [
      { type: 'image_url', image_url: { url } },
      { type: 'input_image', image_url: url },
      { type: 'image', url },
      { type: 'file', source_type: 'url', url, metadata: { description: POISON } },
      { type: 'image', source: { type: 'url', url } },
      { type: 'image', mimeType: 'image/png', data: PIXEL, url },
      { type: 'image', mimeType: 'image/png', data: PIXEL, detail: [url], alt: url },
    ]) {
      const [frame, ...media] = await shownParts([part]);
      if (media.length === 0) {
        expect(frame?.text).toContain(' type=link');
        expect(opened(frame?.text)).toContain(url);
      }
      expect(JSON.stringify(media)).not.toContain('evil.example');
    }
  });

  test('a part of an unknown type is framed as JSON, even one that is not an object', async () => {
    const unknown = { type: 'hologram', says: POISON };
    const parts = await shownParts([unknown, { says: POISON }, POISON, null, undefined, { type: 'image' }]);
    expect(parts.map(({ type }) => type)).toEqual(Array.from({ length: 6 }, () => 'text'));
    expect(parts.map(({ text }) => opened(text))).toEqual([
      `{"says":${JSON.stringify(POISON)},"type":"hologram"}`,
      `{"says":${JSON.stringify(POISON)}}`,
      POISON,
      'null',
      'null',
      '{"type":"image"}',
    ]);
  });

  test('content that is neither text nor a list is framed as JSON', async () => {
    const [result] = resultsIn(await shown(history({ says: POISON })));
    expect(opened(result?.content)).toBe(`{"says":${JSON.stringify(POISON)}}`);
  });

  test('deeply nested JSON is framed', async () => {
    for (const depth of [4000, 20000]) {
      const text = '['.repeat(depth) + ']'.repeat(depth);
      expect(opened(resultsIn(await shown(history(text)))[0]?.content)).toBe(text);
    }
  });

  test('a mark for the prompt cache stays, and text for the Responses API keeps its type', async () => {
    const cached = { type: 'ephemeral' };
    const [text] = await shownParts([{ type: 'text', text: POISON, cache_control: cached }]);
    expect(text).toMatchObject({ type: 'text', cache_control: cached });
    const [native] = await shownParts([{ type: 'input_text', text: POISON }]);
    expect(native?.type).toBe('input_text');
    expect(opened(native?.text)).toBe(POISON);
  });
});
