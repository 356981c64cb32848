package recap

import "errors"

// Code is the machine's name of a kind of error. Faces map codes to exit
// statuses and HTTP statuses in one table each.
type Code string

// Codes of errors.
const (
	CodeUsage            Code = "usage"
	CodeSessionNotFound  Code = "session_not_found"
	CodeAmbiguousSession Code = "ambiguous_session"
	CodeNothing          Code = "nothing_to_recap"
	CodeNotEnough        Code = "not_enough_conversation"
	CodeBusy             Code = "busy"
	CodeRunning          Code = "already_running" // another daemon follows the store
	CodeMuted            Code = "muted"
	CodeExcluded         Code = "excluded"
	CodeUnreadable       Code = "unreadable"         // the transcript could not be read
	CodeUnsupported      Code = "unsupported_format" // recognised, but too old or too new
	CodeRedaction        Code = "redaction_failed"
	CodeStore            Code = "store_unavailable"
	CodeStoreTooNew      Code = "store_too_new"
	CodeConfig           Code = "invalid_config"
	CodeCanceled         Code = "canceled"
	CodeInternal         Code = "internal"
)

// Codes of a model call, as BEHAVIOUR of the product names them.
const (
	CodeInvalidRequest      Code = "invalid-request"
	CodeNoLogin             Code = "no-provider-login"
	CodeNoModel             Code = "no-permitted-model"
	CodeContextTooSmall     Code = "context-too-small"
	CodeProviderUnsupported Code = "provider-unsupported"
	CodeRateLimited         Code = "rate-limited"
	CodeOutputExhausted     Code = "output-exhausted"
	CodeProviderError       Code = "provider-error"
	CodeModelUnavailable    Code = "model-unavailable"
	CodeTimeout             Code = "timeout"
	CodeBudget              Code = "budget-exceeded"
	CodeGuarded             Code = "guarded" // nothing of the reply passed the guards
)

// Error is an error with a code for machines, words for people and the next
// step to take. It never holds text of a transcript.
type Error struct {
	Code    Code
	Message string
	Hint    string
	Err     error
}

// Error gives the message, and the cause where there is one.
func (e *Error) Error() string {
	if e.Err != nil {
		return e.Message + ": " + e.Err.Error()
	}
	return e.Message
}

// Unwrap gives the cause.
func (e *Error) Unwrap() error { return e.Err }

// CodeOf gives the code of the first Error in err's chain, else CodeInternal.
// A nil error has no code.
func CodeOf(err error) Code {
	if err == nil {
		return ""
	}
	if e, ok := errors.AsType[*Error](err); ok {
		return e.Code
	}
	return CodeInternal
}

// HintOf gives the next step of the first Error in err's chain, else "".
func HintOf(err error) string {
	if e, ok := errors.AsType[*Error](err); ok {
		return e.Hint
	}
	return ""
}
