import { Reader } from '../../bytes/reader.ts';
import { Writer } from '../../bytes/writer.ts';
import type { HttpError, HttpStatus, OffchainHttpHost } from '../extensions.ts';
import { Trap } from '../trap.ts';
import { type HostContext, type HostFunction, takeText } from './context.ts';
import { offchainOf, writeUnitResult } from './offchain.ts';

const httpOf = (host: HostContext): OffchainHttpHost => {
  const http = offchainOf(host).http;
  if (http === null) throw new Trap('Http is not available in this call');
  return http;
};

/** The id of a request is a u16 that is passed as a u32, or as a u64 in some documents. */
const requestId = (argument: number | bigint): number => Number(argument) & 0xffff;

const deadlineOf = (host: HostContext, span: bigint): bigint | null =>
  new Reader(host.memory.view(span)).option((reader) => reader.u64());

const writeError = (host: HostContext, error: HttpError): bigint =>
  host.memory.allocWrite(Uint8Array.of(1, error));

const writeStatus = (writer: Writer, status: HttpStatus): void => {
  switch (status.kind) {
    case 'deadline':
      writer.u8(0);
      return;
    case 'io':
      writer.u8(1);
      return;
    case 'invalid':
      writer.u8(2);
      return;
    case 'finished':
      writer.u8(3).u16(status.status);
      return;
    default:
      status satisfies never;
  }
};

/** Host functions for HTTP requests of offchain workers. */
export const offchainHttpFunctions: readonly HostFunction[] = [
  {
    name: 'ext_offchain_http_request_start_version_1',
    params: 'III',
    results: 'I',
    create: (host) => (method: bigint, uri: bigint, meta: bigint) => {
      // Reserved: it is read, and means nothing.
      host.memory.view(meta);
      const id = httpOf(host).start(takeText(host, method), takeText(host, uri));
      return id === null
        ? writeUnitResult(host, false)
        : host.memory.allocWrite(new Writer(3).u8(0).u16(id).finish());
    },
  },
  {
    name: 'ext_offchain_http_request_add_header_version_1',
    params: 'iII',
    results: 'I',
    create: (host) => (id: number, name: bigint, value: bigint) =>
      writeUnitResult(
        host,
        httpOf(host).addHeader(requestId(id), takeText(host, name), takeText(host, value)),
      ),
  },
  {
    name: 'ext_offchain_http_request_write_body_version_1',
    params: 'iII',
    results: 'I',
    create: (host) => (id: number, chunk: bigint, deadline: bigint) => {
      const error = httpOf(host).writeBody(
        requestId(id),
        host.memory.copy(chunk),
        deadlineOf(host, deadline),
      );
      return error === null ? writeUnitResult(host, true) : writeError(host, error);
    },
  },
  {
    name: 'ext_offchain_http_response_wait_version_1',
    params: 'II',
    results: 'I',
    create: (host) => (ids: bigint, deadline: bigint) => {
      const wanted = new Reader(host.memory.copy(ids)).vec((reader) => reader.u16());
      const statuses = httpOf(host).wait(wanted, deadlineOf(host, deadline));
      return host.memory.allocWrite(new Writer().vec(statuses, writeStatus).finish());
    },
  },
  {
    name: 'ext_offchain_http_response_headers_version_1',
    params: 'i',
    also: 'I',
    results: 'I',
    create: (host) => (id: number | bigint) => {
      const headers = httpOf(host).headers(requestId(id));
      return host.memory.allocWrite(
        new Writer().vec(headers, (writer, [name, value]) => writer.vecBytes(name).vecBytes(value)).finish(),
      );
    },
  },
  {
    name: 'ext_offchain_http_response_read_body_version_1',
    params: 'iII',
    results: 'I',
    create: (host) => (id: number, buffer: bigint, deadline: bigint) => {
      const out = host.memory.view(buffer);
      const answer = httpOf(host).readBody(requestId(id), out.length, deadlineOf(host, deadline));
      if (typeof answer === 'number') return writeError(host, answer);
      const part = answer.subarray(0, out.length);
      out.set(part);
      return host.memory.allocWrite(new Writer(5).u8(0).u32(part.length).finish());
    },
  },
];
