// An adapter that returns each request. Started with `changed`, it changes every element of a list; with `shifted`, it
// drops the first element and changes every second one.
const mode = process.argv[2];
let rest = '';

process.stdin.setEncoding('utf8').on('data', (text) => {
  const lines = (rest + text).split('\n');
  rest = lines.pop();
  process.stdout.write(lines.map(reply).join(''));
});

function reply(line) {
  const { id, method, params } = JSON.parse(line);
  if (method === 'shutdown') setImmediate(() => process.stdin.destroy());
  return `${JSON.stringify({ jsonrpc: '2.0', id, result: result(method, params) })}\n`;
}

function result(method, params) {
  if (method === 'initialize') {
    const implementation = { name: 'echo', version: '1.0', language: 'JavaScript' };
    return { protocolVersion: 1, implementation, operations: ['echo.repeat'] };
  }
  if (method === 'shutdown') return {};
  if (mode === 'changed') return { items: params.items.map(other) };
  if (mode === 'shifted') return { items: params.items.slice(1).map((item, at) => (at % 2 ? item : other(item))) };
  return params;
}

function other(item) {
  return typeof item === 'number' ? item + 0.5 : { ...item, name: '?' };
}
