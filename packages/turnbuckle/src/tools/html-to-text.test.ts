import { expect, test } from 'vitest'
import { htmlToText } from './html-to-text.ts'

test.each([
  ['<h1>A &amp; B</h1><p>C</p>D', 'A & B\nC\nD'],
  ['<a class=x href="/y" id=z>there</a>', 'there (/y)'],
  ["<a href='/y'>there</a>", 'there (/y)'],
  ['<a name=x>here</a>', 'here'],
  ['<head><title>x</title></head>a<script>evil()</script><style>b</style><!-- c -->d', 'ad'],
  ['<script>never ended', ''],
  ['1 < 2 and 3 > 2', '1 < 2 and 3 > 2'],
  ['<a data-href="bad" href="https://good">t</a>', 't (https://good)'],
  ['<a title="href=bad" HREF = https://good/?a=1>t</a>', 't (https://good/?a=1)'],
  ['<a href="/y"><b>bold</b></a> and <a>none</a>', 'bold (/y) and none'],
  ['a<script data-tpl="<b>">var secret=1</script >b', 'ab'],
  ['a<style media="(width<600px)">p { color: red }</style>b', 'ab'],
  ['<div title="1 < 2">text</div>', 'text'],
  ["<img alt='x > y' src=a>text", 'text'],
  ["<p don't>text</p><p it's>more</p>", 'text\nmore'],
  ['<p title="never ended>text</p>more', 'text\nmore'],
  ['<header>a</header><scripts>b</scripts>', 'ab'],
  ['<script>if (a</script', ''],
  ['text <a href="/cut', 'text'],
  ['a<!-->b<!-- <p> -->c<!-- never ended', 'abc'],
  ['&#x41;&#66;&nosuch;', 'AB&nosuch;'],
])('%j reads %j', (html, text) => expect(htmlToText(html)).toBe(text))

const beginnings = [
  '<a b="',
  '<a b=\'"\' c="',
  '<a =',
  '<a href ',
  '<a "',
  '</script',
  '<script></script',
  '<svg><',
  '<!-',
  '<a href=x>',
]
test.each([
  ...beginnings,
  '<',
  '<a ',
  '<a href=x ',
  '<script',
  '<!--',
  '</p',
  '</script ',
  '<br\n',
  '&#x',
  '\n ',
  '<a>',
])('a page of many %j is gone through once', beginning => {
  expect(htmlToText(beginning.repeat(Math.ceil(1_000_000 / beginning.length)))).not.toContain('<script>')
})
