export * from './lost.js';
