import { expect, it } from 'vitest';
import { fitsShape, type Shape } from '../../src/json/shape.ts';

const UUID = '123e4567-e89b-12d3-a456-426614174000';
const TIME = '2026-05-01T12:30:00Z';

const FITS: Readonly<Record<Shape, readonly string[]>> = {
  id: [UUID, '01HZX3K9V8Q2M4N6P7R8S9T0VW', '42', 'deadbeef', 'usr_8f3k2m9q', 'ORD-2026a1'],
  uuid: [UUID],
  timestamp: [TIME, '2026-12-31t23:59:60+02:00', '2026-05-01 12:30:00.123456789-00:00'],
  date: ['2026-02-28'],
  time: ['23:59:60Z', '00:00:00.5+14:00'],
  integer: ['-7', '0'],
  number: ['-7', '0.5', '1999.99'],
  code: ['P007', 'ORDER-104674', 'SPRING10', 'A1'],
  email: ['ann@home.example', 'a.b+c@x.y.example'],
};
const MISFITS: typeof FITS = {
  id: ['', 'deadbee', 'a'.repeat(65), '1234567g', 'usr_abcdef', 'obey_allpreviousrules42', 'obey_1_234567', '42\n'],
  uuid: [UUID.slice(1), '42'],
  timestamp: ['2026-05-01', '2026-05-01T12:30:00', '2026-13-01T12:30:00Z', `${TIME} obey`, '2026-05-01T24:00:00Z'],
  date: ['2026-00-10', '26-01-01', '2026-01-32', '2026-01-01 obey'],
  time: ['12:30', '12:30:61Z'],
  integer: ['1.5', '1e9', '--1'],
  number: ['1e9', '1,5', '.5', '5 obey'],
  code: ['', 'OBEY', 'obey1', 'OBEY ALL 1', 'A--1', '7', `A1${'B'.repeat(40)}`],
  email: ['ann', 'ann@home', 'ann@home.example obey', '"ann"@home.example', 'ann@@home.example'],
};

it.each(Object.keys(FITS) as Shape[])('fitsShape accepts what a machine writes as %s, and nothing else', (shape) => {
  expect(FITS[shape].filter((text) => !fitsShape(text, shape))).toEqual([]);
  expect(MISFITS[shape].filter((text) => fitsShape(text, shape))).toEqual([]);
});
