package gemini

import (
	"testing"

	"github.com/sessionrecap/recap/llm"
	"github.com/sessionrecap/recap/llm/llmtest"
)

func TestSuite(t *testing.T) { llmtest.Run(t, llm.Gemini, New) }
