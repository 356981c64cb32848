package cli

import (
	"slices"

	recap "github.com/sessionrecap/recap"
	"github.com/sessionrecap/recap/engine"
	"github.com/sessionrecap/recap/internal/config"
)

// wanted narrows what a person asks a model for to the fields that the
// settings and the files of the session's project make, and has the same looked
// at again before anything is stored. The error says that none is left.
func (a *app) wanted(e *engine.Engine, s recap.Session, ask engine.Ask) (engine.Ask, error) {
	if a.lost != nil {
		return ask, &recap.Error{Code: recap.CodeStore, Message: "no model is asked where what it costs can't be kept", Hint: "recap doctor says what is wrong with the store", Err: a.lost}
	}
	if p := a.cfg.NoCalls(); p != nil {
		return ask, &recap.Error{Code: recap.CodeConfig, Message: "no model is asked while a setting of it can't be understood: " + p.String(), Hint: "mend that setting"}
	}
	asked := ask.Fields
	ask.Fields = a.made(a.cfg, s, asked)
	if len(ask.Fields) == 0 {
		return ask, &recap.Error{
			Code: recap.CodeExcluded, Message: "what was asked for is switched off for this session, by assist.recap, assist.suggestion or a " + config.ProjectFile,
			Hint: "recap config get assist.recap shows the setting",
		}
	}
	ask.Still = func() ([]recap.Field, error) {
		c := config.Load(config.Options{Env: a.s.Env})
		a.narrow.forget()
		e.Renew(c.Exclude())
		switch fields := a.made(c, s, asked); {
		case c.Broken(), c.Refusal() != nil, c.NoCalls() != nil:
			return nil, &recap.Error{Code: recap.CodeCanceled, Message: "the settings can't be understood any more, so what the model said is not used", Hint: "recap doctor says what is wrong"}
		case e.Excluded(s.Directory):
			return nil, &recap.Error{Code: recap.CodeExcluded, Message: "the directory was left out meanwhile, so what the model said is not used"}
		case len(fields) == 0:
			return nil, &recap.Error{Code: recap.CodeCanceled, Message: "recaps were switched off meanwhile, so what the model said is not used"}
		default:
			return fields, nil
		}
	}
	return ask, nil
}

// made gives those of the fields that are made of a session.
func (a *app) made(c *config.Config, s recap.Session, fields []recap.Field) []recap.Field {
	set := a.narrow.follow(s.Project, s.Directory, engine.FollowSettings{Recap: c.Bool("assist.recap"), Suggestion: c.Bool("assist.suggestion")})
	return slices.DeleteFunc(slices.Clone(fields), func(f recap.Field) bool {
		if f == recap.FieldSuggestion {
			return !set.Suggestion
		}
		return !set.Recap
	})
}
