import { expect, test } from 'vitest';
import { html } from './markup.ts';

test('escapes inserted values, in text and in attributes', () => {
  const hostile = `"><script>alert('&')</script>`;
  expect(String(html`<p title="${hostile}">${hostile}</p>`)).toBe(
    '<p title="&quot;&gt;&lt;script&gt;alert(&#x27;&amp;&#x27;)&lt;/script&gt;">' +
      '&quot;&gt;&lt;script&gt;alert(&#x27;&amp;&#x27;)&lt;/script&gt;</p>',
  );
});

test('inserts markup unchanged, including several pieces, and nothing for null and false', () => {
  const items = ['a', '<b>'].map((item) => html`<li>${item}</li>`);
  const list = '<ol><li>a</li><li>&lt;b&gt;</li></ol>0\n';
  expect(String(html`<ol>${items}</ol>${null}${false}${0}\n`)).toBe(list);
});
