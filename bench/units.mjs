// Short units that make scanners slow when repeated. The forty units of ../shared/data/repeated-units.json are added if that
// file exists.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../tools/command.mjs';

const own = {
  ampersand: '&',
  ampersand_hash: '&#',
  ampersand_zero: '&#0',
  zero: '0',
  amp_entity: '&amp;',
  amp_legacy: '&amp',
  lt_entity: '&lt;',
  name: '&ltltlt',
  open_prefix: '<untrusted ',
  open_section: '<mr_',
  section: '<mr_body></mr_body>',
  nested_section: '<mr_<mr_body>body>',
  close: '</',
  less_space: '< ',
  less_bar: '<|',
  bracket_slash: '[/',
  bracket_space: '[ ',
  line_space: '\n ',
  line_human: '\nhuman ',
  human: 'human: ',
  json_break: '\\n',
  backslash: '\\',
  entity_line: '&#10;',
  escape: '~x3c~',
  half_escape: '~x3',
  tilde: '~',
  lone_surrogate: '\ud83c',
  swapped_surrogates: '\udf00\ud83c',
  overlay: '<\u0338',
  invisible: '\u200b',
  full_width: '\uff1csystem\uff1e',
  expanding: '\ufdfa',
  look_alike: '\u0430\u0440',
  code: 'lamp river coat seven ',
  glued_code: 'lamprivercoat',
  hexadecimal: '0a1b2c3d',
  image_markdown: '![a](http://a?b=',
  json_key: '"a":',
  tag_character: '\u{e0041}',
};

const shared = join(root, '..', 'shared', 'data', 'repeated-units.json');

/** @returns {{ units: Record<string, string>, note: string }} */
export function readUnits() {
  if (!existsSync(shared))
    return {
      units: own,
      note: `${Object.keys(own).length} units of our own; ../shared/data/repeated-units.json is absent`,
    };
  const given = JSON.parse(readFileSync(shared, 'utf8'));
  return {
    units: { ...given, ...own },
    note: `${Object.keys(given).length} shared units and ${Object.keys(own).length} of our own`,
  };
}
