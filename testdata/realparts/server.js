// An AngularJS application in #! mode behind the middleware prerender-node, for
// the test of the real parts. Arguments: the URL of the renderer. It prints its
// own URL when it listens, and ends when its standard input does.
'use strict';
const path = require('path');
const express = require('express');
const prerender = require('prerender-node');

const pages = {
  '/': { title: 'Boats', text: 'A register of boats that somebody has to look after in the winter.', links: ['/boats', '/café'] },
  '/boats': { title: 'All boats', text: 'There are two of them, and both have been painted green this year.', links: ['/boats/fog horn', '/'] },
  '/boats/fog horn': { title: 'Fog horn', text: 'It is heard for three miles if the wind comes from the sea.', links: ['/boats'] },
  '/café': { title: 'The café', text: 'Coffee is served from eight to eight, and cake as long as there is some.', links: ['/'] },
};

const app = express();
app.use(prerender.set('prerenderServiceUrl', process.argv[2]));
app.get('/robots.txt', (req, res) => res.type('text').send('User-agent: *\nDisallow: /private\n'));
app.get('/sitemap.xml', (req, res) => res.status(404).end());
app.get('/angular.js', (req, res) => res.sendFile(require.resolve('angular/angular.min.js')));
app.get('/page', (req, res) => {
  const page = pages[req.query.path];
  if (page) res.json(page); else res.status(404).end();
});
app.get('/', (req, res) => res.sendFile(path.join(__dirname, 'index.html')));

const server = app.listen(0, '127.0.0.1', () => console.log('http://127.0.0.1:' + server.address().port));
process.stdin.resume().on('end', () => process.exit(0));
