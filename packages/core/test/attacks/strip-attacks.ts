// Attacks on stripTags(), as data.

interface StripAttack {
  readonly title: string;
  readonly payload: string;
  readonly expected: string;
}

/** Texts from which `mr_body` is stripped, and what remains. */
export const stripAttacks: readonly StripAttack[] = [
  { title: 'a tag in a tag', payload: '<mr_<mr_body>body>x', expected: 'x' },
  { title: 'a closing tag in a closing tag', payload: '</mr_</mr_body>body>x', expected: 'x' },
  { title: 'a tag that is not closed', payload: 'x</mr_body', expected: 'x~x3c~/mr_body' },
  { title: 'a space before the slash', payload: '< /mr_body>x', expected: 'x' },
  { title: 'a space after the slash', payload: '</ mr_body>x', expected: 'x' },
  { title: 'a zero-width space inside', payload: '<mr_\u200bbody>x', expected: 'x' },
  { title: 'a soft hyphen inside', payload: '<mr_b\u00adody>x', expected: 'x' },
  { title: 'character references', payload: '&lt;mr_body&gt;x', expected: '~x26~lt;mr_body&gt;x' },
  { title: 'full-width brackets', payload: '\uff1cmr_body\uff1ex', expected: 'x' },
  { title: 'a longer name', payload: '<mr_bodyguard>x', expected: '<mr_bodyguard>x' },
  { title: 'brackets that belong to no tag', payload: 'a < b > c', expected: 'a < b > c' },
];
