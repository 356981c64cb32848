// Package archtest holds the import rules of ARCHITECTURE.md. It has no code
// of its own: its tests read the tree.
package archtest
