import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** What the texts of a package are found by. */
export type Source = { readonly folder: string; readonly authors: readonly string[]; readonly name: string };

const readOwn = (name: string): string =>
  readFileSync(fileURLToPath(new URL(`./${name}.txt`, import.meta.url)), 'utf8').trim();

const holderOf = ({ authors, name }: Source): string =>
  `Copyright (c) ${authors.length > 0 ? authors.join(', ') : `the authors of ${name}`}`;

const mit = `Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated documentation
files (the "Software"), to deal in the Software without restriction, including without limitation the rights to use, copy,
modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit persons to whom the Software
is furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES
OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE
LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR
IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.`;

const bsd3 = `Redistribution and use in source and binary forms, with or without modification, are permitted provided that the following
conditions are met:

1. Redistributions of source code must retain the above copyright notice, this list of conditions and the following disclaimer.
2. Redistributions in binary form must reproduce the above copyright notice, this list of conditions and the following
   disclaimer in the documentation and/or other materials provided with the distribution.
3. Neither the name of the copyright holder nor the names of its contributors may be used to endorse or promote products
   derived from this software without specific prior written permission.

THIS SOFTWARE IS PROVIDED BY THE COPYRIGHT HOLDERS AND CONTRIBUTORS "AS IS" AND ANY EXPRESS OR IMPLIED WARRANTIES, INCLUDING, BUT
NOT LIMITED TO, THE IMPLIED WARRANTIES OF MERCHANTABILITY AND FITNESS FOR A PARTICULAR PURPOSE ARE DISCLAIMED. IN NO EVENT SHALL
THE COPYRIGHT HOLDER OR CONTRIBUTORS BE LIABLE FOR ANY DIRECT, INDIRECT, INCIDENTAL, SPECIAL, EXEMPLARY, OR CONSEQUENTIAL
DAMAGES (INCLUDING, BUT NOT LIMITED TO, PROCUREMENT OF SUBSTITUTE GOODS OR SERVICES; LOSS OF USE, DATA, OR PROFITS; OR BUSINESS
INTERRUPTION) HOWEVER CAUSED AND ON ANY THEORY OF LIABILITY, WHETHER IN CONTRACT, STRICT LIABILITY, OR TORT (INCLUDING
NEGLIGENCE OR OTHERWISE) ARISING IN ANY WAY OUT OF THE USE OF THIS SOFTWARE, EVEN IF ADVISED OF THE POSSIBILITY OF SUCH DAMAGE.`;

/** The text for a package that includes none. */
const standardText = (license: string, source: Source): string => {
  if (license === 'MIT') return `${holderOf(source)}\n\n${mit}`;
  if (license === 'BSD-3-Clause') return `${holderOf(source)}\n\n${bsd3}`;
  if (license === 'GPL-3.0-only') return readOwn(license);
  if (license === 'CC0-1.0')
    return 'To the extent possible under law, the authors have waived all copyright and related rights to this work (CC0 1.0\nUniversal, https://creativecommons.org/publicdomain/zero/1.0/).';
  throw new Error(`${source.name}: it brings no text of ${license}, and scripts/notices has none`);
};

/** Which of a package's files are about this license: `LICENSE-MIT`, or the only ones. */
const isAbout = (file: string, license: string): boolean => {
  if (/^unlicense/i.test(file)) return license === 'Unlicense';
  const [, rest = ''] = /^(?:licen[cs]e|copying)[-_.]?(.*?)(?:\.(?:txt|md))?$/i.exec(file) ?? [];
  return (
    rest === '' ||
    license
      .toLowerCase()
      .replaceAll(/[^a-z0-9]/g, '')
      .startsWith(rest.toLowerCase().replaceAll(/[^a-z0-9]/g, ''))
  );
};

/**
 * The texts that must go with a package taken under a license: its own, else the standard one. Of Apache-2.0 the text is
 * that of Tabnode, so only notices are returned.
 */
export const textsOf = (license: string, source: Source): readonly string[] => {
  const read = (file: string): string =>
    readFileSync(`${source.folder}/${file}`, 'utf8').replaceAll('\r\n', '\n').trim();
  const files = readdirSync(source.folder, { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => name)
    .sort();
  const notices = files.filter((name) => /^notice(\.(txt|md))?$/i.test(name)).map(read);
  if (license.startsWith('Apache-2.0')) return notices;
  const own = files.filter((name) => /^(licen[cs]e|copying|unlicense)/i.test(name) && isAbout(name, license));
  return [...notices, ...(own.length > 0 ? own.map(read) : [standardText(license, source)])];
};
