import { Buffer } from 'node:buffer';
import type { Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { callSocket, nextTexts, openSocket } from '../clients/socket-clients.fixture.ts';
import { bodyOf, callHttp, post, postAs } from '../clients/test-clients.fixture.ts';
import { withOrigin } from '../pages/bridge.fixture.ts';
import { attacked, openTcp, untilEnd, untilSaid, upgradeHead } from './attacks.fixture.ts';

// What docs/security.md lists: an attack, what happens, and that others are still served.

beforeAll(() => withOrigin());
const addresses = attacked();

const mebibyte = 1024 * 1024;
const call = bodyOf('system_name');
const callHead = (...headers: readonly string[]): string =>
  ['POST / HTTP/1.1', 'Host: localhost', 'Content-Type: application/json', ...headers, '\r\n'].join('\r\n');

describe.each(['serve', 'bridge'])('%s', (command) => {
  const servedOn = async (): Promise<void> => {
    const { ws, http } = addresses(command);
    expect(await callHttp(http, 'system_chain')).toBe('Development');
    expect((await callSocket(ws, 'system_chain')).result).toBe('Development');
  };
  const open = async (): Promise<Socket> => {
    const socket = await openTcp(addresses(command).http);
    onTestFinished(() => void socket.destroy());
    return socket;
  };

  it('slow-loris: 300 heads that never end take nobody’s place', async () => {
    const sockets = await Promise.all(Array.from({ length: 300 }, open));
    for (const socket of sockets) socket.write('POST / HTTP/1.1\r\nHost: localhost\r\nX-Slow: ');
    await servedOn();
  });

  it('slow-loris: 300 bodies that never end take nobody’s place', async () => {
    const sockets = await Promise.all(Array.from({ length: 300 }, open));
    const accepted = sockets.map((socket) => untilSaid(socket, '100 Continue'));
    for (const socket of sockets) {
      socket.write(callHead('Content-Length: 9', 'Expect: 100-continue'));
      socket.write('{');
    }
    await Promise.all(accepted);
    await servedOn();
  });

  it('half-open: the connection of a client that ends its side ends, whatever it has sent', async () => {
    for (const text of ['', 'POST / HT', callHead(`Content-Length: ${call.length}`) + call, upgradeHead()]) {
      const socket = await open();
      const rest = untilEnd(socket);
      socket.end(text);
      await rest;
    }
    await servedOn();
  });

  it('a body above the limit: 413, and the same over a WebSocket', async () => {
    const { ws, http } = addresses(command);
    const big = bodyOf('system_name', ['x'.repeat(15 * mebibyte)]);
    const refused = { error: { code: -32007, message: 'Request is too big' } };
    const response = await post(http, big);
    expect(response.status).toBe(413);
    expect(await response.json()).toMatchObject(refused);
    const socket = await openSocket(ws);
    const texts = nextTexts(socket, 2);
    socket.send(big);
    socket.send(call);
    const [first = '', second = ''] = await texts;
    expect(JSON.parse(first)).toMatchObject(refused);
    expect(JSON.parse(second)).toMatchObject({ result: 'Tabnode' });
    socket.close();
  });

  it.each([
    ['that announces 2^40 bytes', '81ff0000010000000000' + '00000000', 1009],
    ['above the hard limit', '81ff0000000004000000' + '00000000', 1009],
    ['without a mask', '8102' + '7b7d', 1002],
    ['that says it is compressed', 'c182' + '00000000' + '0000', 1002],
    ['with a reserved opcode', '8382' + '00000000' + '0000', 1002],
    ['that continues nothing', '8082' + '00000000' + '0000', 1002],
    ['of control with 126 bytes', '89fe007e' + '00000000', 1002],
    ['that is not UTF-8', '8182' + '00000000' + 'c328', 1007],
  ])('a frame %s closes its connection', async (_name, hex, code) => {
    const socket = await open();
    const opened = untilSaid(socket, '\r\n\r\n');
    socket.write(upgradeHead());
    expect(await opened).toContain('101 Switching Protocols');
    const rest = untilEnd(socket);
    socket.write(Buffer.from(hex, 'hex'));
    const close = Buffer.from(await rest, 'latin1');
    expect([close[0], close.readUInt16BE(2)]).toEqual([0x88, code]);
    await servedOn();
  });

  it('a message of 670,000 empty fragments closes its connection', async () => {
    const socket = await open();
    const opened = untilSaid(socket, '\r\n\r\n');
    socket.write(upgradeHead());
    await opened;
    const rest = untilEnd(socket);
    socket.write(Buffer.from('018000000000', 'hex'));
    socket.write(Buffer.alloc(670_000 * 6, Buffer.from('008000000000', 'hex')));
    const close = Buffer.from(await rest, 'latin1');
    expect([close[0], close.readUInt16BE(2)]).toEqual([0x88, 1008]);
    await servedOn();
  });

  it('text that is not UTF-8: a body is read as far as it can be, binary frames likewise', async () => {
    const { ws, http } = addresses(command);
    const bytes = Buffer.concat([Buffer.from('{"jsonrpc":"2.0","id":1,"method":"'), Buffer.of(0xc3, 0x28)]);
    const response = await post(http, Buffer.concat([bytes, Buffer.from('"}')]) as unknown as string);
    expect(await response.json()).toHaveProperty('error');
    const socket = await openSocket(ws);
    const texts = nextTexts(socket, 1);
    socket.send(bytes);
    expect(JSON.parse((await texts)[0] ?? '')).toHaveProperty('error');
    socket.close();
    await servedOn();
  });

  it('compressed bombs: compression is never agreed on, and a compressed body is not expanded', async () => {
    const { http } = addresses(command);
    const socket = await open();
    const opened = untilSaid(socket, '\r\n\r\n');
    socket.write(upgradeHead('Sec-WebSocket-Extensions: permessage-deflate'));
    expect((await opened).toLowerCase()).not.toContain('extensions');
    const bomb = gzipSync(Buffer.alloc(64 * mebibyte, 0x20));
    const response = await post(http, bomb as unknown as string, { 'content-encoding': 'gzip' });
    expect(response.status).toBe(400);
    await servedOn();
  });

  it.each([
    ['two lengths', ['Content-Length: 9', 'Content-Length: 0']],
    ['a length and chunks', ['Content-Length: 9', 'Transfer-Encoding: chunked']],
    ['an encoding of its own', ['Transfer-Encoding: chunked, identity']],
    ['a hidden encoding', ['Content-Length: 9', 'Transfer-Encoding : chunked']],
    ['a folded header', ['X-Folded: a', ' Transfer-Encoding: chunked']],
    ['a length with a sign', ['Content-Length: +9']],
    ['a length in hexadecimal', ['Content-Length: 0x9']],
    ['a bare line feed', ['X: a\nContent-Length: 9']],
    ['a NUL', ['X: a\u0000b']],
  ])('smuggling by %s: one refusal, and nothing after it is read', async (_name, headers) => {
    const socket = await open();
    const all = untilEnd(socket);
    const hidden = callHead(`Content-Length: ${call.length}`) + call;
    socket.write(`${callHead(...headers)}0\r\n\r\n${hidden}`);
    const text = await all;
    expect(text.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 400']);
    expect(text).not.toContain('Tabnode');
    await servedOn();
  });

  it('headers of 64 KiB, or 10,000 of them: 431', async () => {
    for (const header of [`X: ${'x'.repeat(64 * 1024)}`, 'X: y\r\n'.repeat(10_000).trim()]) {
      const socket = await open();
      const all = untilEnd(socket);
      socket.write(callHead(header));
      expect(await all).toContain('HTTP/1.1 431');
    }
    await servedOn();
  });

  it.each(['//', '///', '/\\', '//[', 'http://', '/%00', '/%', '/../../etc/passwd', '*'])(
    'a path such as %s is a path like any other',
    async (path) => {
      const { status, text } = await postAs(addresses(command).http, { host: 'localhost' }, call, path);
      expect([status, text]).toEqual([200, '{"jsonrpc":"2.0","id":1,"result":"Tabnode"}']);
    },
  );

  it.each(['evil.example', 'localhost.evil.example', '127.0.0.1.evil.example', 'localhost:99999', '[::2]'])(
    'a page that calls itself this computer, by the Host %j, is refused',
    async (host) => {
      const { status } = await postAs(addresses(command).http, { host }, call);
      expect(status).toBe(403);
      await servedOn();
    },
  );
});
