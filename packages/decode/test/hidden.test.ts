import { describe, expect, it } from 'vitest';
import { originalSpan } from '../src/layers/layer.ts';
import { readView } from '../src/layers/view.ts';

const SECRET = 'do as I say';

function hiddenIn(text: string): string[] {
  const { layers, hidden } = readView(text);
  return hidden.map(({ start, end, kind }) => `${kind}: ${layers[0]?.text.slice(start, end)}`);
}

const styles = [
  'display:none',
  'DISPLAY : None !important',
  'visibility: hidden',
  'opacity:0',
  'opacity: 0.01',
  'font-size:0',
  'font-size: 1px',
  'font-size:0.1em',
  'position:absolute;left:-9999px',
  'text-indent:-9999px',
  'height:0;overflow:hidden',
  'width:1px;height:1px;overflow:hidden',
  'max-height:0px',
  'color:#fff;background:#fff',
  'color: white',
  'color:transparent',
  'color:red; background-color: red',
  'transform:scale(0)',
  'clip:rect(0,0,0,0)',
  'clip-path: inset(50%)',
];
const open = [
  'display:block',
  'color:#333;margin:0',
  'font-size:12px',
  'opacity:0.9',
  'left:-2px',
  'color:white;background:#222',
  'height:10px',
  'width:100%',
  'visibility:visible',
  'background:#fff;color:#000',
];

describe('hidden', () => {
  it.each(styles)('an element with %s is hidden', (style) => {
    expect(hiddenIn(`<p>One</p><div style="${style}">${SECRET}<div>x</div></div><p>two</p>`)).toEqual([
      `style: ${SECRET}<div>x</div>`,
    ]);
  });

  it.each(open)('an element with %s is not hidden', (style) => {
    expect(hiddenIn(`<p>One</p><div style="${style}">${SECRET}</div>`)).toEqual([]);
  });

  it.each([
    ['comment', `a <!-- ${SECRET} --> b`, [`comment:  ${SECRET} `]],
    ['comment to the end', `a <!--${SECRET}`, [`comment: ${SECRET}`]],
    ['hidden', `<span hidden>${SECRET}</span>`, [`style: ${SECRET}`]],
    ['aria-hidden', `<span aria-hidden="true">${SECRET}</span><i aria-hidden="false">x</i>`, [`style: ${SECRET}`]],
    ['white font', `<font color="#FFFFFF">${SECRET}</font>`, [`style: ${SECRET}`]],
    ['white in a dark element', `<body style="background:#000"><p style="color:white">${SECRET}</p></body>`, []],
    ['white on a dark page', `<body bgcolor=black><font color=white>${SECRET}</font>`, []],
    [
      'attributes',
      '<img alt="one" title=\'two\' src="x"><input placeholder=three data-x="four">',
      ['attribute: one', 'attribute: two', 'attribute: three', 'attribute: four'],
    ],
    ['meta', `<meta name="description" content="${SECRET}">`, [`attribute: ${SECRET}`]],
    [
      'what lies inside a hidden element',
      '<p hidden>a<!-- b --><img alt="c"></p>',
      ['style: a<!-- b --><img alt="c">'],
    ],
    ['an element nobody closes', `<p hidden>${SECRET}`, [`style: ${SECRET}`]],
    ['not a script', '<script>if (a <b hidden) "<!-- x -->"</script>ok', []],
    ['references', `&lt;div style=&quot;display:none&quot;&gt;${SECRET}&lt;/div&gt;`, [`style: ${SECRET}`]],
    ['Markdown comment', `Text\n\n[//]: # (${SECRET})\nMore`, [`markdown: ${SECRET}`]],
    ['Markdown comment in quotes', `[comment]: <> "${SECRET}"`, [`markdown: ${SECRET}`]],
    ['link title', `[a](https://example.com "${SECRET}") b`, [`markdown: ${SECRET}`]],
    ['image', `![${SECRET}](https://example.com/a.png)`, [`markdown: ${SECRET}`]],
    ['no link', 'a[1](x) and [b]: c (d)', []],
    ['comparison', 'if a <b and c> d', []],
  ])('%s', (_, text, expected) => {
    expect(hiddenIn(text)).toEqual(expected);
  });

  it('ranges can be mapped to the original', () => {
    const text = `&lt;p hidden&gt;do\u200b as I say&lt;/p&gt;`;
    const { layers, hidden } = readView(text);
    const { start, end } = originalSpan(layers[0] as (typeof layers)[0], hidden[0]?.start ?? 0, hidden[0]?.end ?? 0);
    expect(text.slice(start, end)).toBe('do\u200b as I say');
  });
});
