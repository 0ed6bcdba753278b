// Made from docs/openapi.json by "npm run generate"; changes here are lost.
export interface paths {
    "/api/auth/token": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Get an access token */
        post: operations["login"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/algorithms/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The catalogue */
        get: operations["getAlgorithms"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/algorithms/{algorithm_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One algorithm with its parameters */
        get: operations["getAlgorithmById"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/algorithms/{algorithm_id}/readiness": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** ext: how many items a training would learn from, and what is unusual about them */
        post: operations["checkReadiness"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/algorithms/{algorithm_id}/train": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Train a model in the background */
        post: operations["train"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/audit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** ext: who did what, newest first */
        get: operations["getAudit"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/audit/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** ext: the audit trail as a file, oldest first */
        get: operations["exportAudit"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/audit/reasons": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** ext: the kinds of acts that need a reason */
        get: operations["getRequiredReasons"];
        /** ext: ask for a reason at these kinds of acts, in the header X-Reason */
        put: operations["setRequiredReasons"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/audit/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** ext: look for entries that were changed, removed or added */
        post: operations["verifyAudit"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/clients": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** ext: all machine clients */
        get: operations["getClients"];
        put?: never;
        /** ext: make a machine client; its secret is shown once */
        post: operations["addClient"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/clients/{client_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** ext: change the scope of a machine client */
        put: operations["changeClient"];
        post?: never;
        /** ext: end a machine client and all its tokens */
        delete: operations["revokeClient"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/clients/{client_id}/secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** ext: another secret for a machine client; ends the tokens of the old one */
        post: operations["renewClientSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/files/{variant}/{file}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** An image, thumbnail or heatmap by its signed link */
        get: operations["getFile"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/items/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A page of items, newest first */
        get: operations["getItemsByType"];
        put?: never;
        /** Upload images */
        post: operations["addItem"];
        /** Delete items, all or none */
        delete: operations["delItem"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/items/{item_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One item with its assessments */
        get: operations["getItemById"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /** Replace the regions and the verdict of the user */
        patch: operations["annotate"];
        trace?: never;
    };
    "/api/v1/items/{item_id}/nearest-good": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** ext: the good training image that is most like a place of the item */
        get: operations["findNearestGood"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/items/assess": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** ext: give many items a verdict at once, or change their use; all or none */
        post: operations["assessItems"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/items/verdicts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** ext: give each item its own verdict and regions, or take its verdict back; all or none */
        put: operations["setVerdicts"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/labels": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** ext: names of the label numbers */
        get: operations["getLabels"];
        /** ext: replace the names of the label numbers */
        put: operations["setLabels"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/models/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** All models, newest first */
        get: operations["getModels"];
        put?: never;
        post?: never;
        /** Delete models, all or none */
        delete: operations["deleteModels"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/models/{model_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One model */
        get: operations["getModelById"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/models/{model_id}/activate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** ext: make it the model that "active" stands for */
        post: operations["activateModel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/models/{model_id}/callbacks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** ext: the callback, its signing key and its deliveries, newest first */
        get: operations["getCallbacks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/models/{model_id}/callbacks/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** ext: call the receiver now with a made-up item */
        post: operations["testCallback"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/models/{model_id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** ext: stop a training */
        post: operations["cancelTraining"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/models/{model_id}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** ext: progress of a training as server-sent events */
        get: operations["getModelEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/models/{model_id}/inspect": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** ext: images of one product in, the judged item out */
        post: operations["inspectByModel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/models/{model_id}/predict": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Predict items in the background; "active" stands for the active model */
        post: operations["predictItems"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/models/{model_id}/refine": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** ext: make a new version that agrees with the verdicts of persons on the given items, without training again */
        post: operations["refineModel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/models/{model_id}/scores": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** ext: scores of held-out and of predicted items, to find a threshold */
        get: operations["getModelScores"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/models/{model_id}/training-items": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** ext: the items that a model learned from */
        get: operations["getModelTrainingItems"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/models/{model_id}/update_predict_callback": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The URL that is called after each prediction */
        post: operations["setModelPredictCallback"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/models/{model_id}/update_predict_parameters": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Threshold, margins and least area of its verdicts */
        post: operations["setModelPredictParameters"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/models/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Models as a zip file, with all that they need elsewhere */
        post: operations["exportModelsWithId"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/models/import": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Take over exported models, all or none */
        post: operations["importModels"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/overview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** ext: the active model, counts, last verdicts and the queue */
        get: operations["getOverview"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/retention/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** ext: settings, room on the disk, how long it lasts, and the last run */
        get: operations["getRetention"];
        /** ext: what stays free on the disk, and when the daily run starts */
        put: operations["setRetention"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/retention/holds": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** ext: all holds, newest first */
        get: operations["getHolds"];
        put?: never;
        /** ext: keep items from retention and from deletion, with a reason */
        post: operations["createHold"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/retention/holds/{hold_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** ext: release a hold */
        delete: operations["deleteHold"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/retention/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** ext: what a run would remove now, also with a rule that is not saved */
        post: operations["previewRetention"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/retention/rules": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** ext: all rules */
        get: operations["getRetentionRules"];
        put?: never;
        /** ext: make a rule */
        post: operations["createRetentionRule"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/retention/rules/{retention_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** ext: a rule with its stations */
        get: operations["getRetentionRuleById"];
        /** ext: change a rule; what is not sent stays */
        put: operations["updateRetentionRule"];
        post?: never;
        /** ext: delete a rule that no station names */
        delete: operations["deleteRetentionRule"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/retention/runs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** ext: what was removed when and why, newest first */
        get: operations["getRetentionRuns"];
        put?: never;
        /** ext: remove now what is due */
        post: operations["startRetentionRun"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/session": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** ext: who is signed in on this page */
        get: operations["getSession"];
        put?: never;
        /** ext: sign in on the page, with a cookie */
        post: operations["signIn"];
        /** ext: sign out; the session ends at once */
        delete: operations["signOut"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/session/password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** ext: another password for the person who is signed in; ends all sessions */
        put: operations["setOwnPassword"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/session/pin": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** ext: set or take away the PIN of the person who is signed in */
        put: operations["setOwnPin"];
        /** ext: change to another person on a shared terminal */
        post: operations["signInByPin"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/session/sso": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** ext: go to the provider of single sign-on */
        get: operations["beginSingleSignOn"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/session/terminal": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** ext: make this browser a shared terminal, where people take turns by PIN */
        put: operations["enableTerminal"];
        post?: never;
        /** ext: no PIN works on this browser any more */
        delete: operations["disableTerminal"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/stations/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** ext: all stations with their state */
        get: operations["getStations"];
        put?: never;
        /** ext: make a station */
        post: operations["createStation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/stations/{station_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** ext: a station with its last item, its queue and its fault */
        get: operations["getStationById"];
        /** ext: change its settings; what is not sent stays */
        put: operations["updateStation"];
        post?: never;
        /** ext: delete a station; its items stay */
        delete: operations["deleteStation"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/stations/{station_id}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** ext: what a station has sent and has to send, newest first */
        get: operations["getStationDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/stations/{station_id}/ftp_login": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** ext: give its camera a new password for FTP, which is shown once */
        post: operations["renewFtpLogin"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/stations/{station_id}/inspect": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** ext: images of one product in, the judged item out */
        post: operations["inspectAtStation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/stations/{station_id}/model": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** ext: change over to another model, which is opened first */
        put: operations["setStationModel"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/stations/{station_id}/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** ext: what its camera sees just now, as JPEG; nothing is stored */
        get: operations["previewStation"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/stations/{station_id}/trigger": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** ext: its camera takes an image; the judged item out */
        post: operations["triggerStation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/stations/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** ext: try settings of a station, and store nothing */
        post: operations["testStation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** ext: versions, workers, queue and what is stored */
        get: operations["getStatus"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/targets/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** All inspection targets */
        get: operations["getInspectionTargets"];
        put?: never;
        /** ext: make an inspection target */
        post: operations["createInspectionTarget"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/targets/{target_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One inspection target */
        get: operations["getInspectionTargetById"];
        /** ext: change name or steps; models keep the steps that they were trained with */
        put: operations["updateInspectionTarget"];
        /** Make it the default target */
        post: operations["setInspectionTargetById"];
        /** ext: delete a target that is not the default */
        delete: operations["deleteInspectionTarget"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/targets/{target_id}/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** ext: an image of an item, or one that is sent, after the steps */
        post: operations["previewInspectionTarget"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/targets/model/results": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Results of models as CSV; no model_ids: of all models */
        post: operations["getModelResults"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/targets/steps": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** ext: the preprocessing steps that there are, and what their config may hold */
        get: operations["getPreprocessingSteps"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/terminals": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** ext: all shared terminals, and who is signed in there */
        get: operations["getTerminals"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/terminals/{terminal_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** ext: end a shared terminal at once, with the session there */
        delete: operations["endTerminal"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/users": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** ext: all people */
        get: operations["getUsers"];
        put?: never;
        /** ext: make an account for a person */
        post: operations["addUser"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/users/{user_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** ext: change name, role or password of a person, or disable the account */
        put: operations["changeUser"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/utils/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Install a license */
        post: operations["setLicense"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/utils/debug": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Logs and figures for support, as a zip file */
        post: operations["getLogs"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/utils/node_hash": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Hash that identifies this machine, for a license */
        post: operations["getHashId"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/healthz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["healthz"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/readyz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["readyz"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        Algorithm: {
            algorithm_id: string;
            /** @description unsupervised or supervised */
            attribute?: string;
            class_name: string;
            /** Format: date-time */
            created_at: string;
            file_name: string;
            name: string;
            parameters?: components["schemas"]["AlgorithmParameter"][];
            /** @description anomaly_detection, classification or object_detection */
            type?: string;
            /** Format: date-time */
            updated_at: string;
            version?: string | null;
        };
        AlgorithmParameter: {
            algorithm_id: string;
            /** Format: int32 */
            algorithm_parameter_id?: number;
            /** Format: date-time */
            created_at: string;
            /** @description int, float, bool, string or enum */
            data_type?: string;
            display_name?: string | null;
            /** @description ext: when to touch it */
            help?: string;
            model_parameter?: boolean | null;
            name: string;
            range_lower?: string | null;
            range_upper?: string | null;
            /** Format: date-time */
            updated_at: string;
            value?: string | null;
        };
        AnnotateBody: {
            /** @description replaces the user's regions; empty: good */
            annotations?: components["schemas"]["NewAnnotation"][];
            /** @description ext: the verdict without regions */
            good?: boolean;
        };
        Annotation: {
            /** Format: int32 */
            annotation_id?: number;
            /** Format: date-time */
            created_at: string;
            defect_size?: number | null;
            /** @description ext: name of the image; absent: the first */
            image?: string;
            label?: number | null;
            notes?: string | null;
            /** @description ext: of a region that a model found, corners [x, y] of the defect in pixels of the original, as a network sees it on the image */
            outline?: number[][];
            x_max?: number | null;
            x_min?: number | null;
            y_max?: number | null;
            y_min?: number | null;
        };
        AssessedItems: {
            item_ids: string[];
            /** @description as `PUT /api/v1/items/verdicts` takes them */
            previous?: components["schemas"]["ItemVerdict"][];
        };
        AssessItemsBody: {
            /** @description false: trainings that name no items do not use it */
            active?: boolean;
            /** @description the verdict; good removes regions, NG keeps those that there are */
            good?: boolean;
            /** @description whether they are items to learn from */
            is_training_data?: boolean;
            /** @description items */
            item_ids: string[];
            /** @description answer with the verdicts before, to put them back */
            show_previous?: boolean;
        };
        AuditCheck: {
            /**
             * Format: int32
             * @description entries up to the last sound one
             */
            entries: number;
            fault: components["schemas"]["AuditFault"] | null;
            /** @description of that entry. Keep both: a later check tells whether entries were removed */
            hash: string;
        };
        AuditEntry: {
            act: string;
            /** Format: date-time */
            at: string;
            caller_id: string | null;
            /**
             * @description station: its controller, by MQTT or Modbus
             * @enum {string}
             */
            caller_kind: "user" | "client" | "station" | "command" | "system";
            caller_name: string;
            details: {
                [key: string]: unknown;
            };
            /** @description SHA-256 over this entry and the hash of the one before */
            hash: string;
            reason: string | null;
            /**
             * Format: int32
             * @description 1, 2, 3, … without a gap
             */
            seq: number;
            target_id: string | null;
        };
        AuditFault: {
            problem: string;
            /** Format: int32 */
            seq: number;
        };
        AuditPage: {
            entries: components["schemas"]["AuditEntry"][];
            next: number | null;
        };
        BaseError: {
            errors: components["schemas"]["Error"];
        };
        CallbackDelivery: {
            /**
             * Format: int32
             * @description tries so far, at most 8
             */
            attempts: number;
            /** Format: date-time */
            created_at: string;
            delivery_id: string;
            item_id: string;
            last_error: string | null;
            last_status: number | null;
            last_tried_at: string | null;
            next_try_at: string | null;
            /** @description pending, delivered or dead */
            status: string;
        };
        CallbackOverview: {
            callback_method: string;
            callback_url: string;
            /** Format: int32 */
            dead: number;
            /** Format: int32 */
            delivered: number;
            deliveries: components["schemas"]["CallbackDelivery"][];
            /** Format: int32 */
            pending: number;
            /** @description key of the signature in webhook-signature, see Standard Webhooks */
            secret: string;
        };
        CallbackTest: {
            delivered: boolean;
            /** Format: int32 */
            duration_ms: number;
            error: string | null;
            status: number | null;
        };
        CameraInterval: {
            /** Format: int32 */
            every_ms: number;
        };
        ClientChange: {
            /**
             * @description everything, or no more than a role
             * @enum {string}
             */
            scope: "all" | "viewer" | "inspector" | "engineer" | "admin";
        };
        ClientSecret: {
            client_id: string;
            /** @description not kept, and not shown again */
            client_secret: string;
        };
        DeletedHold: {
            hold_id: string;
        };
        DeletedRetentionRule: {
            retention_id: string;
        };
        DeletedStation: {
            station_id: string;
        };
        DeletedTarget: {
            /** Format: int32 */
            target_id: number;
        };
        Error: {
            /** @description ext: kind of the error, the same in every language */
            code?: string;
            detail?: string;
            message?: {
                errors: string[];
                key: string;
            }[];
            source?: {
                pointer: string;
            };
            /** Format: int32 */
            status?: number;
            title?: string;
            /** @description ext: names and figures in the text; a reason in it is a code with values again */
            values?: {
                [key: string]: unknown;
            };
        };
        ExportRequest: {
            model_ids: string[];
        };
        FtpLogin: {
            /** @description shown once; only its hash is kept */
            password: string;
            user: string;
        };
        GetItemsResponse: {
            /** Format: int32 */
            count_per_page: number;
            /** Format: int32 */
            current_page: number;
            /** Format: int32 */
            end_page: number;
            items: components["schemas"]["Item"][];
            /** @description ext: send this as `after` for the items that follow; absent where nothing follows */
            next?: string;
            /**
             * Format: date-time
             * @description ext: a search for a common name ended here, and total and end_page are those of what it found; it goes on with `after` = `next`, or with `until` at this time
             */
            searched_since?: string;
            /**
             * Format: int32
             * @description ext: items in all pages
             */
            total?: number;
        };
        HeldOutScores: {
            /** @description good training images, each scored by a model that had not seen it */
            good: number[];
            ng: number[];
        };
        Hold: {
            /** Format: date-time */
            created_at: string;
            filter: components["schemas"]["HoldFilter"] | null;
            hold_id: string;
            /**
             * Format: int32
             * @description items that it holds now
             */
            items: number;
            reason: string;
        };
        HoldFilter: {
            /** @description ext: name=value, items with this value in their fields */
            field?: string;
            /**
             * Format: date-time
             * @description ext: from the first item that is not older on
             */
            from?: string;
            /** @description ext: the whole lot */
            lot?: string;
            /** @description ext: part of the name, in any case */
            name?: string;
            /** @description ext: the whole serial number */
            serial?: string;
            /** @description ext: items of this station */
            station_id?: string;
            /**
             * Format: date-time
             * @description ext: up to the last item that is older
             */
            until?: string;
        };
        ImageDays: {
            NG: number | null;
            OK: number | null;
            unjudged: number | null;
        };
        InspectedCounts: {
            /**
             * Format: int32
             * @description items that a model judged
             */
            assessed: number;
            /**
             * Format: int32
             * @description items where a person and an active model differ
             */
            disagreements: number;
            /**
             * Format: int32
             * @description items whose last prediction failed for good
             */
            failed: number;
            /**
             * Format: int32
             * @description items that are not for training
             */
            items: number;
            /**
             * Format: int32
             * @description items that a person judged
             */
            judged: number;
            /**
             * Format: int32
             * @description items that an active model calls NG and nobody has judged
             */
            ng_unjudged: number;
        };
        InspectionTarget: {
            /** @description ext */
            is_default?: boolean;
            name?: string;
            preprocessing?: components["schemas"]["Preprocessing"][];
            /** Format: int32 */
            target_id?: number;
        };
        Item: {
            active?: boolean;
            assessments?: components["schemas"]["ModelAssessment"][];
            /**
             * Format: date-time
             * @description ext
             */
            created_at?: string;
            /** @description ext: what else is known of the product, text by name */
            fields?: {
                [key: string]: string;
            };
            images?: components["schemas"]["ItemImageMeta"][];
            /**
             * Format: date-time
             * @description ext: when retention removed its images; they have no `url` since then
             */
            images_removed_at?: string;
            is_training_data?: boolean;
            item_id?: string;
            /** @description ext: lot that the product is of */
            lot?: string;
            name?: string;
            /** @description ext: serial number of the product */
            serial?: string;
            /** @description ext: the station that it was inspected at */
            station_id?: string;
            /** @description pending, queued, processing, done or failed */
            status?: string;
            /** @description ext: the sentences of status_text, each with its code and values */
            status_messages?: components["schemas"]["StatusMessage"][];
            status_text?: string | null;
            /**
             * Format: int32
             * @description ext: the product that it is one of, an inspection target
             */
            target_id?: number;
            user_assessment?: components["schemas"]["UserAssessment"];
        };
        ItemIds: {
            item_ids: string[];
        };
        ItemIdsBody: {
            /** @description items */
            item_ids: string[];
        };
        ItemImageMeta: {
            /**
             * Format: int32
             * @description bytes; absent of a heatmap, which is drawn when its link is opened
             */
            file_size?: number;
            /** Format: int32 */
            height?: number;
            /** @description ext: of a heatmap: its scores alone over the whole image, a grey PNG that is coarser than the image; a value is 255 × the score, where 0.5 is the calibrated threshold; 0 is not inspected */
            map_url?: string;
            name?: string;
            /** @description ext: at most 320 pixels, WebP */
            thumbnail_url?: string;
            /** @description signed, readable without a header for an hour */
            url?: string;
            /** Format: int32 */
            width?: number;
        };
        ItemInWork: {
            item_id: string;
            status: string;
        };
        ItemVerdict: {
            /** @description replaces the user's regions; of NG only */
            annotations: components["schemas"]["NewAnnotation"][];
            good: boolean | null;
            /** @description item */
            item_id: string;
        };
        Label: {
            /**
             * Format: int32
             * @description class number of annotations
             */
            label: number;
            name: string;
        };
        LabelledRegions: {
            /**
             * Format: int32
             * @description NG items that have such a region
             */
            items: number;
            label: number | null;
            /** Format: int32 */
            regions: number;
        };
        LabelsBody: {
            labels: components["schemas"]["Label"][];
        };
        LicenseHashResponse: {
            hash_id: string;
        };
        LicenseResponse: {
            /** @description ISO 8601 */
            license_expiry: string;
        };
        LicenseState: {
            customer: string | null;
            expiry: string | null;
            problem: string | null;
            /** @description whether the vendor asks for one */
            required: boolean;
        };
        LoginParams: {
            client_id: string;
            client_secret: string;
            /** @description client_credentials */
            grant_type: string;
            /** @description all */
            scope?: string;
        };
        LoginResponse: {
            access_token: string;
            /** @description seconds */
            expires_in: number;
            scope: string;
            /** @enum {string} */
            token_type: "Bearer";
        };
        MachineClient: {
            client_id: string;
            /** Format: date-time */
            created_at: string;
            name: string;
            revoked_at: string | null;
            /**
             * @description everything, or no more than a role
             * @enum {string}
             */
            scope: "all" | "viewer" | "inspector" | "engineer" | "admin";
        };
        Model: {
            active?: boolean | null;
            algorithm_id: string;
            algorithm_type: string;
            /**
             * Format: int32
             * @description the inspection target in force when it was trained
             */
            context_id: number;
            /** Format: date-time */
            created_at: string;
            image_url?: string | null;
            model_id: string;
            name: string;
            /** Format: int32 */
            ng_img_count?: number;
            /** Format: int32 */
            ok_img_count?: number;
            /** @description ext: what it was trained with: the value of each parameter of its algorithm, by name */
            parameters?: {
                [key: string]: unknown;
            };
            parent_id?: string | null;
            precision?: number | null;
            predict_parameters?: components["schemas"]["PredictParametersInForce"];
            /** @description ext: the steps of its inspection target when it was trained */
            preprocessing?: components["schemas"]["Preprocessing"][];
            recall?: number | null;
            stats?: components["schemas"]["ModelStats"];
            /** @description queued, training, ready, failed or cancelled */
            status?: string;
            /** @description ext: the sentences of status_text, each with its code and values */
            status_messages?: components["schemas"]["StatusMessage"][];
            status_text?: string | null;
            /** @description ext: the items that refining corrected */
            taught_item_ids?: string[];
            training_time?: number | null;
            /** Format: date-time */
            updated_at: string;
            version: string;
        };
        ModelAssessment: {
            annotations?: components["schemas"]["Annotation"][];
            /** @description 0 to 1, six decimals, 0.5 is the calibrated threshold */
            anomaly_score?: string;
            detected_objects?: number | null;
            detection_accuracy?: number | null;
            images?: components["schemas"]["ItemImageMeta"][];
            label?: string;
            model_id?: string;
            /**
             * Format: date-time
             * @description ext
             */
            predicted_at?: string;
            /** @description OK or NG */
            result?: string;
            /** @description ext: the threshold that the verdict was made with */
            threshold?: number;
        };
        ModelIdsQuery: {
            model_ids: string[];
        };
        ModelPrecision: {
            computed?: number | null;
            projected?: number | null;
        };
        ModelScores: {
            held_out: components["schemas"]["HeldOutScores"];
            /** @description predicted items that are not for training, newest first */
            items: components["schemas"]["ScoredItem"][];
            /** @description in force now */
            threshold: number;
            /**
             * Format: int32
             * @description verdicts of the model in all
             */
            total: number;
        };
        ModelStats: {
            accuracy?: number | null;
            precision?: components["schemas"]["ModelPrecision"];
            recall?: components["schemas"]["ModelPrecision"];
        };
        ModelTrainingItem: {
            item_id: string;
            name: string;
            thumbnail_url: string | null;
            user_result: string | null;
        };
        ModelTrainingItems: {
            items: components["schemas"]["ModelTrainingItem"][];
            /**
             * Format: int32
             * @description items in all; those that were deleted since are not counted
             */
            total: number;
        };
        NearestGood: {
            /** @description name of the image of the item */
            image: string;
            item_id: string;
            model_id: string;
            nearest: components["schemas"]["NearestImage"] | null;
            place: components["schemas"]["PatchPlace"] | null;
            /** @description the sentences of status_text */
            status_messages: components["schemas"]["StatusMessage"][];
            status_text: string | null;
            /**
             * Format: int32
             * @description training images that are as near or nearer, but were deleted or removed
             */
            unavailable: number;
        };
        NearestImage: {
            /** @description between the two patches, in the feature space of the model */
            distance: number;
            image: components["schemas"]["ItemImageMeta"];
            item_id: string;
            item_name: string;
            place: components["schemas"]["PatchPlace"];
            /** @description the step `align` brought both images to one position; otherwise the patches lie on each other */
            registered: boolean;
            /** @description a, b, c, d, e, f: x = a·X + b·Y + c, y = d·X + e·Y + f, from pixels of this image to those of the item */
            transform: number[];
            user_result: string | null;
        };
        NewAnnotation: {
            /** @description ext: name of the image; absent: the first */
            image?: string;
            label?: number | null;
            notes?: string | null;
            /** @description larger than x_min */
            x_max: number;
            /** @description pixels of the original image */
            x_min: number;
            /** @description larger than y_min */
            y_max: number;
            /** @description pixels of the original image */
            y_min: number;
        };
        NewClient: {
            name: string;
            /**
             * @description everything, or no more than a role
             * @enum {string}
             */
            scope?: "all" | "viewer" | "inspector" | "engineer" | "admin";
        };
        NewHold: {
            filter?: components["schemas"]["HoldFilter"];
            /** @description the items to hold; or send `filter` */
            item_ids?: string[];
            reason: string;
        };
        NewRetentionRule: {
            /** @description for every item whose station names no rule of its own */
            everywhere?: boolean;
            image_days?: components["schemas"]["ImageDays"];
            /** @description a removed image leaves its thumbnail */
            keep_thumbnails?: boolean;
            name: string;
            record_days?: number | null;
            /** @description the verdicts whose images may go before their time when the disk is short: the first verdict first, the oldest image first */
            when_short?: ("OK" | "NG" | "unjudged")[];
        };
        NewStation: {
            /** @description false: it takes no images */
            enabled?: boolean;
            model_id?: string | null;
            name: string;
            name_pattern?: string | null;
            outputs?: components["schemas"]["StationOutput"][];
            retention_id?: string | null;
            source?: components["schemas"]["StationSource"];
            /**
             * Format: int32
             * @description inspection target of its products; absent in a new station: the default
             */
            target_id?: number;
        };
        NewTarget: {
            name: string;
            preprocessing?: components["schemas"]["Preprocessing"][];
        };
        NewTerminal: {
            name: string;
        };
        NewUser: {
            name: string;
            password?: string;
            /** @enum {string} */
            role: "viewer" | "inspector" | "engineer" | "admin";
        };
        Overview: {
            active_model: components["schemas"]["Model"] | null;
            inspected: components["schemas"]["InspectedCounts"];
            /** @description the items judged last, newest first */
            last_verdicts: components["schemas"]["Item"][];
            queue: components["schemas"]["QueueFigures"];
            recent: components["schemas"]["RecentVerdicts"];
            /** @description the two counts that depend on the active model, of each product that has one */
            to_review: components["schemas"]["ProductToReview"][];
            training: components["schemas"]["TrainingCounts"];
        };
        OwnPassword: {
            /** @description the password until now */
            current: string;
            password: string;
        };
        OwnPin: {
            /** @description null takes it away */
            pin: string | null;
        };
        PageSession: {
            account: components["schemas"]["SessionAccount"] | null;
            /** @description true: there is nobody yet; sign in as a client and make the first admin */
            first_start: boolean;
            /**
             * @description the highest role that a PIN opens
             * @enum {string}
             */
            pin_role: "none" | "viewer" | "inspector" | "engineer";
            single_sign_on: string | null;
            terminal: components["schemas"]["SharedTerminal"] | null;
        };
        ParameterOverride: {
            /** Format: int32 */
            algorithm_parameter_id: number;
            value: string;
        };
        PatchPlace: {
            x_max: number;
            x_min: number;
            y_max: number;
            y_min: number;
        };
        PinSignIn: {
            /** @description 4 to 8 digits */
            pin: string;
            /** @description person */
            user_id: string;
        };
        PredictCallback: {
            /** @enum {string} */
            callback_method?: "post" | "get";
            /** @description called after a prediction completes; empty: no callback */
            callback_url?: string;
        };
        PredictParameters: {
            /** @description none, or one to four lengths such as 5% or 12px */
            ignore_outer?: string;
            /**
             * Format: float
             * @description square pixels of the original image
             */
            min_detected_area?: number;
            /**
             * Format: float
             * @description on the scale of anomaly_score
             */
            threshold?: number;
        };
        PredictParametersInForce: {
            ignore_outer: string;
            min_detected_area: number;
            /** @description ext */
            threshold: number;
        };
        PredictResponse: {
            item_ids: string[];
            model_version: string;
        };
        Preprocessing: {
            active?: boolean | null;
            config?: string | null;
            name: string;
        };
        PreprocessingStepInfo: {
            /** @description a config */
            example: string;
            /** @description what it is for and when to use it */
            help: string;
            name: string;
            /** @description JSON Schema of the object that config holds */
            schema: unknown;
            title: string;
        };
        PreviewRequest: {
            /** @description name of the image; absent: the first */
            image?: string;
            /** @description the item whose image goes through the steps */
            item_id: string;
            /** @description steps to try; absent: those of the target */
            preprocessing?: components["schemas"]["Preprocessing"][];
        };
        ProductToReview: {
            /**
             * Format: int32
             * @description items where a person and this model differ
             */
            disagreements: number;
            /** @description the active model of the product */
            model_id: string;
            /**
             * Format: int32
             * @description items that this model calls NG and nobody has judged
             */
            ng_unjudged: number;
            /** Format: int32 */
            target_id: number;
        };
        QueueFigures: {
            /** Format: int32 */
            running: number;
            /** Format: int32 */
            waiting: number;
        };
        QueueOfKind: {
            /** Format: int32 */
            failed: number;
            kind: string;
            /** Format: int32 */
            running: number;
            /** Format: int32 */
            waiting: number;
        };
        Readiness: {
            /**
             * Format: int32
             * @description items
             */
            good: number;
            /**
             * Format: int32
             * @description images of good and NG items
             */
            images: number;
            /** Format: int32 */
            ng: number;
            /** @description the first 50 */
            oddities: components["schemas"]["TrainingOddity"][];
            /**
             * Format: int32
             * @description how many there are in all
             */
            oddity_count: number;
            /** @description rectangles that people drew on the NG items, by label */
            regions: components["schemas"]["LabelledRegions"][];
            supported_false_alarm_rate: number | null;
            /**
             * Format: int32
             * @description items that training leaves out
             */
            unjudged: number;
        };
        ReadinessRequest: {
            /** @description absent: all active training items of the target */
            item_ids?: string[];
            /**
             * Format: int32
             * @description ext: the product, an inspection target; absent: the default target
             */
            target_id?: number;
        };
        ReadName: {
            fields: {
                [key: string]: string;
            };
            lot: string | null;
            serial: string | null;
        };
        RecentVerdicts: {
            /** Format: int32 */
            ng: number;
            /**
             * Format: int32
             * @description items by their first verdict, of those that got it since the time asked for; a later inspection changes nothing
             */
            ok: number;
        };
        RefineRequest: {
            /** @description take the place of the model when that is active; absent: a person activates it */
            activate?: boolean;
            /** @description items with a verdict of a person; absent: all that the model has inspected and whose verdict differs from its own */
            item_ids?: string[];
            name?: string;
        };
        RemovedAge: {
            /** @description size of their images */
            bytes: number;
            /** Format: int32 */
            from_days: number;
            /**
             * Format: int32
             * @description items that lose their images, or go
             */
            items: number;
            to_days: number | null;
        };
        RemovedPart: {
            /** @description size of these images as uploaded */
            bytes: number;
            /**
             * Format: int32
             * @description images that go, with or without their record
             */
            images: number;
            /**
             * Format: int32
             * @description items whose images go and whose record stays
             */
            items: number;
            /**
             * @description images: their days are over; records: those of the record; space: the disk was short
             * @enum {string}
             */
            reason: "images" | "records" | "space";
            /**
             * Format: int32
             * @description items that go with all that belongs to them
             */
            records: number;
            /**
             * @description a person’s verdict; without one NG where any model says NG, else OK where any says OK
             * @enum {string}
             */
            verdict: "OK" | "NG" | "unjudged";
        };
        RequiredReasons: {
            acts: ("user.add" | "user.change" | "user.password" | "user.pin" | "client.add" | "client.change" | "client.revoke" | "terminal.enable" | "terminal.disable" | "item.assess" | "item.annotate" | "item.delete" | "model.train" | "model.refine" | "model.cancel" | "model.parameters" | "model.callback" | "model.activate" | "model.delete" | "model.import" | "target.add" | "target.change" | "target.default" | "target.delete" | "station.add" | "station.change" | "station.model" | "station.delete" | "station.ftp-login" | "retention.settings" | "retention.add" | "retention.change" | "retention.delete" | "retention.start" | "hold.add" | "hold.release" | "labels.change" | "license.install" | "reasons.change")[];
        };
        RetentionDisk: {
            /** @description images of the last 24 hours */
            added_bytes_per_day: number;
            days_until_full: number | null;
            floor_bytes: number | null;
            /** @description of it */
            free_bytes: number;
            /** @description images that went by age in the last 24 hours */
            removed_bytes_per_day: number;
            /** @description room for images and all else on their disk, or `capacity_bytes` */
            total_bytes: number;
        };
        RetentionPreview: {
            /** Format: date-time */
            as_of: string;
            by_age: components["schemas"]["RemovedAge"][];
            /** @description size of these images as uploaded */
            bytes: number;
            /** @description the oldest of each part */
            examples: components["schemas"]["Item"][];
            /**
             * Format: int32
             * @description images that go, with or without their record
             */
            images: number;
            /**
             * Format: int32
             * @description items whose images go and whose record stays
             */
            items: number;
            /** @description what would still be missing to the room that stays free */
            missing_bytes: number;
            /**
             * Format: int32
             * @description items that go with all that belongs to them
             */
            records: number;
            removed: components["schemas"]["RemovedPart"][];
        };
        RetentionPreviewBody: {
            /** @description the saved rule that `rule` takes the place of */
            retention_id?: string;
            rule?: components["schemas"]["NewRetentionRule"];
        };
        RetentionRule: {
            /** Format: date-time */
            created_at: string;
            /** @description for every item whose station names no rule of its own */
            everywhere: boolean;
            image_days: components["schemas"]["ImageDays"];
            /** @description a removed image leaves its thumbnail */
            keep_thumbnails: boolean;
            name: string;
            record_days: number | null;
            retention_id: string;
            /** @description the stations that name it */
            station_ids: string[];
            /** Format: date-time */
            updated_at: string;
            /** @description the verdicts whose images may go before their time when the disk is short: the first verdict first, the oldest image first */
            when_short: ("OK" | "NG" | "unjudged")[];
        };
        RetentionRuleChanges: {
            /** @description for every item whose station names no rule of its own */
            everywhere?: boolean;
            image_days?: components["schemas"]["ImageDays"];
            /** @description a removed image leaves its thumbnail */
            keep_thumbnails?: boolean;
            name?: string;
            record_days?: number | null;
            /** @description the verdicts whose images may go before their time when the disk is short: the first verdict first, the oldest image first */
            when_short?: ("OK" | "NG" | "unjudged")[];
        };
        RetentionRun: {
            /** @description size of these images as uploaded */
            bytes: number;
            /** @enum {string} */
            cause: "daily" | "space" | "request";
            ended_at: string | null;
            free_after: number | null;
            free_before: number | null;
            /**
             * Format: int32
             * @description images that go, with or without their record
             */
            images: number;
            /**
             * Format: int32
             * @description items whose images go and whose record stays
             */
            items: number;
            /**
             * Format: int32
             * @description items that go with all that belongs to them
             */
            records: number;
            removed: components["schemas"]["RemovedPart"][];
            run_id: string;
            /** Format: date-time */
            started_at: string;
            /** @enum {string} */
            status: "waiting" | "running" | "done" | "failed";
            status_messages: components["schemas"]["StatusMessage"][];
            status_text: string | null;
        };
        RetentionRunPage: {
            /** @description newest first */
            runs: components["schemas"]["RetentionRun"][];
            /** Format: int32 */
            total: number;
        };
        RetentionSettings: {
            capacity_bytes: number | null;
            /** @description time of the daily run on the clock of the server, such as 02:00 */
            daily_at: string;
            min_free_bytes: number | null;
            min_free_percent: number | null;
        };
        RetentionSettingsChanges: {
            capacity_bytes?: number | null;
            /** @description time of the daily run on the clock of the server, such as 02:00 */
            daily_at?: string;
            min_free_bytes?: number | null;
            min_free_percent?: number | null;
        };
        RetentionState: {
            disk: components["schemas"]["RetentionDisk"] | null;
            last_run: components["schemas"]["RetentionRun"] | null;
            next_daily_at: string | null;
            /** @description the disk is short, and nothing may be removed */
            refuses_uploads: boolean;
            settings: components["schemas"]["RetentionSettings"];
            status_messages: components["schemas"]["StatusMessage"][];
            status_text: string | null;
        };
        ScoredItem: {
            item_id: string;
            name: string;
            /** @description OK or NG, at the threshold of its prediction */
            result: string;
            /** @description on the scale of anomaly_score */
            score: number;
            thumbnail_url: string | null;
            user_result: string | null;
        };
        ServerReadiness: {
            /**
             * @description ext: short where uploads are refused with 507, because retention may remove nothing; all else works
             * @enum {string}
             */
            disk?: "ok" | "short";
            /** @description ext: stations whose source does not work; absent without any */
            faults?: components["schemas"]["SourceFault"][];
            /**
             * @description ext
             * @enum {string}
             */
            modbus?: "off" | "listening";
            /**
             * @description ext: the broker; away: results wait
             * @enum {string}
             */
            mqtt?: "off" | "connected" | "away";
            status: string;
        };
        ServerStatus: {
            /** @description sqlite or postgres */
            database: string;
            /** @description of the images as uploaded */
            image_bytes: number;
            /** Format: int32 */
            images: number;
            /** Format: int32 */
            items: number;
            license: components["schemas"]["LicenseState"];
            /**
             * Format: int32
             * @description of the server process
             */
            memory_mb: number;
            /** Format: int32 */
            models: number;
            node_version: string;
            platform: string;
            queue: components["schemas"]["QueueOfKind"][];
            /** Format: date-time */
            started_at: string;
            version: string;
            /**
             * Format: int32
             * @description compute processes for predictions
             */
            workers: number;
        };
        SessionAccount: {
            /** Format: date-time */
            expires_at: string;
            has_pin: boolean;
            id: string;
            /** @enum {string} */
            kind: "user" | "client";
            /** @enum {string} */
            method: "password" | "sso" | "pin";
            name: string;
            /** @enum {string} */
            role: "viewer" | "inspector" | "engineer" | "admin";
        };
        SetVerdictsBody: {
            verdicts: components["schemas"]["ItemVerdict"][];
        };
        SharedTerminal: {
            name: string;
            /** @description who may sign in here by PIN */
            people: components["schemas"]["TerminalPerson"][];
        };
        SignedOut: {
            sign_out_url: string | null;
        };
        SignIn: {
            /** @description of a person, or the id of a client */
            name: string;
            /** @description of the person, or the secret of the client */
            password: string;
        };
        SourceFault: {
            code: string;
            /** Format: date-time */
            since: string;
            station_id: string;
        };
        Station: {
            /** Format: date-time */
            created_at: string;
            /** @description false: it takes no images */
            enabled: boolean;
            ftp_login?: components["schemas"]["FtpLogin"];
            model_id: string | null;
            name: string;
            name_pattern: string | null;
            outputs: components["schemas"]["StationOutput"][];
            retention_id: string | null;
            source: components["schemas"]["StationSource"];
            state: components["schemas"]["StationState"];
            station_id: string;
            /**
             * Format: int32
             * @description inspection target of its products; absent in a new station: the default
             */
            target_id: number;
            /** Format: date-time */
            updated_at: string;
        };
        StationChanges: {
            /** @description false: it takes no images */
            enabled?: boolean;
            name?: string;
            name_pattern?: string | null;
            outputs?: components["schemas"]["StationOutput"][];
            retention_id?: string | null;
            source?: components["schemas"]["StationSource"];
            /**
             * Format: int32
             * @description inspection target of its products; absent in a new station: the default
             */
            target_id?: number;
        };
        StationDeliveries: {
            /** Format: int32 */
            dead: number;
            /** Format: int32 */
            delivered: number;
            deliveries: components["schemas"]["StationDelivery"][];
            /** Format: int32 */
            pending: number;
            /** @description key of the signature in webhook-signature, see Standard Webhooks */
            secret: string;
        };
        StationDelivery: {
            /**
             * Format: int32
             * @description tries so far, at most 8
             */
            attempts: number;
            /** Format: date-time */
            created_at: string;
            delivery_id: string;
            item_id: string;
            last_error: string | null;
            last_status: number | null;
            last_tried_at: string | null;
            next_try_at: string | null;
            /** @description kind of the output */
            output: string;
            /** @description pending, delivered or dead */
            status: string;
        };
        StationFault: {
            status_messages: components["schemas"]["StatusMessage"][];
            status_text: string;
        };
        StationModel: {
            model_id: string | null;
        };
        StationOutput: {
            /**
             * @description sidecar: a JSON file with the result beside each file of a watched folder
             * @enum {string}
             */
            kind: "mqtt" | "modbus" | "webhook" | "sidecar";
            /** @description modbus: the models that a controller chooses by number */
            recipes?: components["schemas"]["StationRecipe"][];
            /**
             * Format: int32
             * @description modbus: after a trigger without a verdict for so long, the station signals a fault; absent: 2000
             */
            timeout_ms?: number;
            /**
             * Format: int32
             * @description modbus: number of its unit
             */
            unit?: number;
            /** @description webhook: called with each result */
            url?: string;
        };
        StationRecipe: {
            /** @description model */
            model_id: string;
            /** Format: int32 */
            number: number;
        };
        StationSource: {
            /**
             * @description folder: what happens to a file once its item is stored; move: to its subfolder "done"
             * @enum {string}
             */
            after?: "keep" | "move" | "delete";
            /**
             * @description http: images are sent to …/inspect; folder: they appear in a folder of the server; ftp: a camera sends them; camera: ffmpeg reads them from a camera
             * @enum {string}
             */
            kind: "http" | "folder" | "ftp" | "camera";
            /** @description folder: its absolute path */
            path?: string;
            /** @description camera: an image at …/trigger alone, or at an interval too */
            trigger?: "request" | components["schemas"]["CameraInterval"];
            /** @description camera: rtsp://, http:// (MJPEG) or v4l2:///dev/video0 */
            url?: string;
        };
        StationSourceState: {
            fault: components["schemas"]["StationFault"] | null;
            ready: boolean;
            /**
             * Format: date-time
             * @description when the fault appeared or went away
             */
            since: string;
            /** @description files that are kept and cannot be read, 20 of them at most */
            unreadable: components["schemas"]["UnreadableFile"][];
            /**
             * Format: int32
             * @description files that wait to be stored
             */
            waiting: number;
        };
        StationState: {
            fault: components["schemas"]["StationFault"] | null;
            last_item: components["schemas"]["Item"] | null;
            /** @description whether it takes images */
            ready: boolean;
            source: components["schemas"]["StationSourceState"] | null;
            /**
             * Format: int32
             * @description its items that wait for their verdict
             */
            waiting: number;
        };
        StationTest: {
            /** @description a name for `name_pattern` to read */
            file_name?: string;
            name?: string;
            name_pattern?: string | null;
            outputs?: components["schemas"]["StationOutput"][];
            source?: components["schemas"]["StationSource"];
            /** @description the station that shall get them; absent: a new one */
            station_id?: string;
        };
        StationTestResult: {
            read: components["schemas"]["ReadName"] | null;
            /** @description source and outputs that were tried; each of them works */
            tested: components["schemas"]["TestedSetting"][];
        };
        StationTrigger: {
            /** @description ext: what else is known of the product, text by name */
            fields?: {
                [key: string]: string;
            };
            /** @description lot that the product is of */
            lot?: string;
            /** @description serial number of the product */
            serial?: string;
        };
        StatusMessage: {
            /** @description the same in every language */
            code: string;
            /** @description in the language of the request */
            text: string;
            /** @description ext: names and figures in the text; a reason in it is a code with values again */
            values: {
                [key: string]: unknown;
            };
        };
        TargetChanges: {
            name?: string;
            preprocessing?: components["schemas"]["Preprocessing"][];
        };
        Terminal: {
            address: string | null;
            /** Format: date-time */
            created_at: string;
            name: string;
            signed_in: components["schemas"]["TerminalSession"] | null;
            terminal_id: string;
            used_at: string | null;
        };
        TerminalPerson: {
            name: string;
            user_id: string;
        };
        TerminalSession: {
            /** @enum {string} */
            method: "password" | "sso" | "pin";
            name: string;
        };
        TestedSetting: {
            key: string;
            kind: string;
        };
        TrainingCounts: {
            /** Format: int32 */
            good: number;
            /** Format: int32 */
            ng: number;
            /** Format: int32 */
            unjudged: number;
        };
        TrainingOddity: {
            item_id: string;
            /** @description size: unlike most images; duplicate: the same image as another item; contradiction: the same image is good there and NG here; too_small, too_narrow, no_contrast: nothing can be learned from the image */
            kind: string;
            name: string;
            /** @description the usual size, the name of the other item, or the size of an image of no use */
            other: string;
        };
        TrainRequest: {
            /** @description absent: all active training items of the target */
            item_ids?: string[];
            /** @description ext: learn from items of several products; absent: such items are refused */
            mix_targets?: boolean;
            name?: string;
            override_params?: components["schemas"]["ParameterOverride"][];
            /**
             * Format: int32
             * @description ext: the product, an inspection target; absent: the default target
             */
            target_id?: number;
        };
        UnreadableFile: {
            name: string;
            /** Format: date-time */
            since: string;
            status_messages: components["schemas"]["StatusMessage"][];
            status_text: string;
        };
        User: {
            /** Format: date-time */
            created_at: string;
            disabled_at: string | null;
            has_password: boolean;
            has_pin: boolean;
            name: string;
            /** @enum {string} */
            role: "viewer" | "inspector" | "engineer" | "admin";
            /** @description whether the provider of single sign-on knows this person */
            single_sign_on: boolean;
            user_id: string;
        };
        UserAssessment: {
            annotations?: components["schemas"]["Annotation"][];
            images?: components["schemas"]["ItemImageMeta"][];
            label?: string;
            /** @description OK or NG */
            result?: string;
        };
        UserChange: {
            /** @description true: ends the sessions of this person at once */
            disabled?: boolean;
            name?: string;
            password?: string;
            /** @enum {string} */
            role?: "viewer" | "inspector" | "engineer" | "admin";
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    login: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LoginParams"];
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LoginResponse"];
                };
            };
            /** @description Default Response */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BaseError"];
                };
            };
            /** @description Default Response */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BaseError"];
                };
            };
        };
    };
    getAlgorithms: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Algorithm"][];
                    };
                };
            };
            /** @description Default Response */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BaseError"];
                };
            };
        };
    };
    getAlgorithmById: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description algorithm, such as patchcore */
                algorithm_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Algorithm"];
                    };
                };
            };
            /** @description Default Response */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BaseError"];
                };
            };
            /** @description Default Response */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BaseError"];
                };
            };
        };
    };
    checkReadiness: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description algorithm, such as patchcore */
                algorithm_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReadinessRequest"];
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Readiness"];
                    };
                };
            };
            /** @description Default Response */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BaseError"];
                };
            };
            /** @description Default Response */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BaseError"];
                };
            };
            /** @description Default Response */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BaseError"];
                };
            };
        };
    };
    train: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description algorithm, such as patchcore */
                algorithm_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TrainRequest"];
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Model"];
                    };
                };
            };
            /** @description Default Response */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BaseError"];
                };
            };
            /** @description Default Response */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BaseError"];
                };
            };
            /** @description Default Response */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BaseError"];
                };
            };
        };
    };
    getAudit: {
        parameters: {
            query?: {
                /** @description kind of act */
                act?: "session.sign-in" | "session.sign-out" | "session.refused" | "user.add" | "user.change" | "user.password" | "user.pin" | "client.sign-in" | "client.refused" | "client.add" | "client.change" | "client.revoke" | "terminal.enable" | "terminal.disable" | "item.assess" | "item.annotate" | "item.delete" | "model.train" | "model.refine" | "model.cancel" | "model.parameters" | "model.callback" | "model.activate" | "model.delete" | "model.import" | "target.add" | "target.change" | "target.default" | "target.delete" | "station.add" | "station.change" | "station.model" | "station.delete" | "station.ftp-login" | "retention.settings" | "retention.add" | "retention.change" | "retention.delete" | "retention.start" | "retention.remove" | "hold.add" | "hold.release" | "labels.change" | "license.install" | "reasons.change";
                /** @description `next` of the page before */
                before?: number;
                /** @description id or name of who did it */
                caller?: string;
                count?: number;
                from?: string;
                /** @description id of what it was done to */
                target?: string;
                until?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["AuditPage"];
                    };
                };
            };
            /** @description Default Response */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BaseError"];
                };
            };
            /** @description Default Response */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BaseError"];
                };
            };
        };
    };
    exportAudit: {
        parameters: {
            query?: {
                /** @description kind of act */
                act?: "session.sign-in" | "session.sign-out" | "session.refused" | "user.add" | "user.change" | "user.password" | "user.pin" | "client.sign-in" | "client.refused" | "client.add" | "client.change" | "client.revoke" | "terminal.enable" | "terminal.disable" | "item.assess" | "item.annotate" | "item.delete" | "model.train" | "model.refine" | "model.cancel" | "model.parameters" | "model.callback" | "model.activate" | "model.delete" | "model.import" | "target.add" | "target.change" | "target.default" | "target.delete" | "station.add" | "station.change" | "station.model" | "station.delete" | "station.ftp-login" | "retention.settings" | "retention.add" | "retention.change" | "retention.delete" | "retention.start" | "retention.remove" | "hold.add" | "hold.release" | "labels.change" | "license.install" | "reasons.change";
                /** @description id or name of who did it */
                caller?: string;
                format?: "jsonl" | "csv";
                from?: string;
                /** @description id of what it was done to */
                target?: string;
                until?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description JSON lines, or CSV */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/x-ndjson": string;
                    "text/csv": string;
                };
            };
            /** @description Default Response */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BaseError"];
                };
            };
            /** @description Default Response */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BaseError"];
                };
            };
        };
    };
    getRequiredReasons: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["RequiredReasons"];
                    };
                };
            };
            /** @description Default Response */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BaseError"];
                };
            };
        };
    };
    setRequiredReasons: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RequiredReasons"];
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["RequiredReasons"];
                    };
                };
            };
            /** @description Default Response */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BaseError"];
                };
            };
            /** @description Default Response */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BaseError"];
                };
            };
        };
    };
    verifyAudit: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["AuditCheck"];
                    };
                };
            };
            /** @description Default Response */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BaseError"];
                };
            };
        };
    };
    getClients: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["MachineClient"][];
                    };
                };
            };
            /** @description Default Response */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BaseError"];
                };
            };
        };
    };
    addClient: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewClient"];
            };
        };
        responses: {
            /** @description Default Response */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["ClientSecret"];
                    };
                };
            };
            /** @description Default Response */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BaseError"];
                };
            };
            /** @description Default Response */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BaseError"];
                };
            };
        };
    };
    changeClient: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description client */
                client_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ClientChange"];
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["MachineClient"];
                    };
                };
            };
            /** @description Default Response */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BaseError"];
                };
            };
            /** @description Default Response */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BaseError"];
                };
            };
            /** @description Default Response */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BaseError"];
                };
            };
        };
    };
    revokeClient: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description client */
                client_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["MachineClient"];
                    };
                };
            };
            /** @description Default Response */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BaseError"];
                };
            };
            /** @description Default Response */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BaseError"];
                };
            };
        };
    };
    renewClientSecret: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description client */
                client_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["ClientSecret"];
                    };
                };
            };
            /** @description Default Response */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BaseError"];
                };
            };
            /** @description Default Response */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BaseError"];
                };
            };
        };
    };
    getFile: {
        parameters: {
            query: {
                expires: string;
                signature: string;
            };
            header?: never;
            path: {
                file: string;
                variant: "image" | "thumbnail" | "heatmap" | "anomaly-map";
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the file */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "image/*": string;
                };
            };
            /** @description Default Response */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BaseError"];
                };
            };
            /** @description Default Response */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BaseError"];
                };
            };
            /** @description Default Response */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BaseError"];
                };
            };
            /** @description Default Response */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BaseError"];
                };
            };
        };
    };
    getItemsByType: {
        parameters: {
            query: {
                /** @description ext: `next` of the page before, in place of `page`: no item is skipped or comes twice, even if items are deleted or added meanwhile */
                after?: string;
                count?: number;
                /** @description ext: person and model differ */
                disagrees?: boolean;
                /** @description ext: name=value, items with this value in their fields */
                field?: string;
                /** @description ext: from the first item that is not older on */
                from?: string;
                /** @description ext: items whose images retention has removed, or whose images are there */
                images_removed?: boolean;
                item_type: "prediction" | "training";
                /** @description ext: the whole lot */
                lot?: string;
                /** @description prediction: items that it assessed; training: items that it learned from */
                model_id?: string;
                /** @description ext: part of the name, in any case */
                name?: string;
                page?: number;
                /** @description ext: verdict of the model, or of any model */
                result?: "OK" | "NG";
                /** @description ext: the whole serial number */
                serial?: string;
                /** @description ext: by the scores of the model in `model_id`, in place of newest first: the highest first, or those nearest to its threshold first */
                sort?: "score" | "nearness";
                /** @description ext: items of this station */
                station_id?: string;
                /** @description ext: where the last prediction stands */
                status?: "queued" | "processing" | "failed";
                /** @description ext: items of this product, an inspection target */
                target_id?: number;
                /** @description ext: up to the last item that is older */
                until?: string;
                /** @description ext: verdict of a person */
                user_result?: "OK" | "NG" | "none";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["GetItemsResponse"];
                    };
                };
            };
            /** @description Default Response */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BaseError"];
                };
            };
            /** @description Default Response */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BaseError"];
                };
            };
        };
    };
    addItem: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": {
                    /** @description ext: JSON object of up to 16 texts, such as {"shift":"2"} */
                    fields?: string;
                    /** @description JPEG, PNG, WebP, TIFF or BMP */
                    files?: string[];
                    /** @description verdict of the sender; absent: good with training=true, none with training=false */
                    good?: boolean;
                    /** @description ext: all files become images of one item of this name */
                    item_name?: string;
                    /** @description ext: lot that the product is of */
                    lot?: string;
                    /** @description with training=false: predict with this model (or "active") at once */
                    model_id?: string;
                    /** @description ext: serial number of the product */
                    serial?: string;
                    /** @description ext: the station that the images come from */
                    station_id?: string;
                    /** @description ext: the product that the images show; absent: that of the station, else the default target */
                    target_id?: number;
                    training: boolean;
                };
            };
        };
        responses: {
            /** @description Default Response */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["ItemIds"];
                    };
                };
            };
            /** @description Default Response */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BaseError"];
                };
            };
            /** @description Default Response */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BaseError"];
                };
            };
            /** @description Default Response */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BaseError"];
                };
            };
            /** @description Default Response */
            425: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BaseError"];
                };
            };
            /** @description Default Response */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BaseError"];
                };
            };
        };
    };
    delItem: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ItemIdsBody"];
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["ItemIds"];
                    };
                };
            };
            /** @description Default Response */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BaseError"];
                };
            };
            /** @description Default Response */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BaseError"];
                };
            };
        };
    };
    getItemById: {
        parameters: {
            query?: {
                /** @description only assessments of this model */
                model_id?: string;
                show_annotations?: boolean;
                show_assessments?: boolean;
            };
            header?: never;
            path: {
                /** @description item */
                item_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Item"];
                    };
                };
            };
            /** @description Default Response */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BaseError"];
                };
            };
            /** @description Default Response */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BaseError"];
                };
            };
            /** @description Default Response */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BaseError"];
                };
            };
        };
    };
    annotate: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description item */
                item_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AnnotateBody"];
            };
        };
        responses: {
            /** @description accepted */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Default Response */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BaseError"];
                };
            };
            /** @description Default Response */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BaseError"];
                };
            };
            /** @description Default Response */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BaseError"];
                };
            };
        };
    };
    findNearestGood: {
        parameters: {
            query: {
                /** @description name of the image; absent: the first */
                image?: string;
                /** @description the model that is asked; "active" stands for the active model */
                model_id: string;
                /** @description pixels of the original; send `y`, too */
                x?: number;
                /** @description pixels of the original; send `x`, too */
                y?: number;
            };
            header?: never;
            path: {
                /** @description item */
                item_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["NearestGood"];
                    };
                };
            };
            /** @description Default Response */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BaseError"];
                };
            };
            /** @description Default Response */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BaseError"];
                };
            };
            /** @description Default Response */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BaseError"];
                };
            };
        };
    };
    assessItems: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AssessItemsBody"];
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["AssessedItems"];
                    };
                };
            };
            /** @description Default Response */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BaseError"];
                };
            };
            /** @description Default Response */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BaseError"];
                };
            };
            /** @description Default Response */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BaseError"];
                };
            };
        };
    };
    setVerdicts: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SetVerdictsBody"];
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["ItemIds"];
                    };
                };
            };
            /** @description Default Response */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BaseError"];
                };
            };
            /** @description Default Response */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BaseError"];
                };
            };
            /** @description Default Response */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BaseError"];
                };
            };
        };
    };
    getLabels: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Label"][];
                    };
                };
            };
            /** @description Default Response */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BaseError"];
                };
            };
        };
    };
    setLabels: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LabelsBody"];
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Label"][];
                    };
                };
            };
            /** @description Default Response */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BaseError"];
                };
            };
            /** @description Default Response */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BaseError"];
                };
            };
        };
    };
    getModels: {
        parameters: {
            query?: {
                /** @description algorithm */
                algorithm_id?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Model"][];
                    };
                };
            };
            /** @description Default Response */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BaseError"];
                };
            };
            /** @description Default Response */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BaseError"];
                };
            };
        };
    };
    deleteModels: {
        parameters: {
            query?: {
                model_ids?: string[];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["ModelIdsQuery"];
                    };
                };
            };
            /** @description Default Response */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BaseError"];
                };
            };
            /** @description Default Response */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BaseError"];
                };
            };
        };
    };
    getModelById: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description model */
                model_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Model"];
                    };
                };
            };
            /** @description Default Response */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BaseError"];
                };
            };
            /** @description Default Response */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BaseError"];
                };
            };
        };
    };
    activateModel: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description model */
                model_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Model"];
                    };
                };
            };
            /** @description Default Response */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BaseError"];
                };
            };
            /** @description Default Response */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BaseError"];
                };
            };
            /** @description Default Response */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BaseError"];
                };
            };
        };
    };
    getCallbacks: {
        parameters: {
            query?: {
                count?: number;
                page?: number;
            };
            header?: never;
            path: {
                /** @description model */
                model_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["CallbackOverview"];
                    };
                };
            };
            /** @description Default Response */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BaseError"];
                };
            };
            /** @description Default Response */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BaseError"];
                };
            };
            /** @description Default Response */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BaseError"];
                };
            };
        };
    };
    testCallback: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description model */
                model_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["CallbackTest"];
                    };
                };
            };
            /** @description Default Response */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BaseError"];
                };
            };
            /** @description Default Response */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BaseError"];
                };
            };
            /** @description Default Response */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BaseError"];
                };
            };
        };
    };
    cancelTraining: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description model */
                model_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Model"];
                    };
                };
            };
            /** @description Default Response */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BaseError"];
                };
            };
            /** @description Default Response */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BaseError"];
                };
            };
            /** @description Default Response */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BaseError"];
                };
            };
        };
    };
    getModelEvents: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description model */
                model_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description events "progress" and "end", each with the model as JSON */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            /** @description Default Response */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BaseError"];
                };
            };
            /** @description Default Response */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BaseError"];
                };
            };
        };
    };
    inspectByModel: {
        parameters: {
            query?: {
                /** @description from the arrival of the request; then the answer is 202 */
                timeout_ms?: number;
            };
            header?: never;
            path: {
                /** @description model */
                model_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": {
                    /** @description ext: JSON object of up to 16 texts, such as {"shift":"2"} */
                    fields?: string;
                    /** @description JPEG, PNG, WebP, TIFF or BMP */
                    files: string[];
                    /** @description ext: all files become images of one item of this name */
                    item_name?: string;
                    /** @description ext: lot that the product is of */
                    lot?: string;
                    /** @description ext: serial number of the product */
                    serial?: string;
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Item"];
                    };
                };
            };
            /** @description Default Response */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["ItemInWork"];
                    };
                };
            };
            /** @description Default Response */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BaseError"];
                };
            };
            /** @description Default Response */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BaseError"];
                };
            };
            /** @description Default Response */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BaseError"];
                };
            };
            /** @description Default Response */
            425: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BaseError"];
                };
            };
            /** @description Default Response */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BaseError"];
                };
            };
        };
    };
    predictItems: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description model */
                model_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ItemIdsBody"];
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["PredictResponse"];
                    };
                };
            };
            /** @description Default Response */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BaseError"];
                };
            };
            /** @description Default Response */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BaseError"];
                };
            };
            /** @description Default Response */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BaseError"];
                };
            };
            /** @description Default Response */
            425: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BaseError"];
                };
            };
            /** @description Default Response */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BaseError"];
                };
            };
        };
    };
    refineModel: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description model */
                model_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RefineRequest"];
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Model"];
                    };
                };
            };
            /** @description Default Response */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BaseError"];
                };
            };
            /** @description Default Response */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BaseError"];
                };
            };
            /** @description Default Response */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BaseError"];
                };
            };
            /** @description Default Response */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BaseError"];
                };
            };
        };
    };
    getModelScores: {
        parameters: {
            query?: {
                /** @description newest verdicts at most */
                count?: number;
            };
            header?: never;
            path: {
                /** @description model */
                model_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["ModelScores"];
                    };
                };
            };
            /** @description Default Response */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BaseError"];
                };
            };
            /** @description Default Response */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BaseError"];
                };
            };
            /** @description Default Response */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BaseError"];
                };
            };
        };
    };
    getModelTrainingItems: {
        parameters: {
            query?: {
                /** @description newest items at most */
                count?: number;
                /** @description a model; items that it learned from, too, are not listed */
                without_model_id?: string;
            };
            header?: never;
            path: {
                /** @description model */
                model_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["ModelTrainingItems"];
                    };
                };
            };
            /** @description Default Response */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BaseError"];
                };
            };
            /** @description Default Response */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BaseError"];
                };
            };
            /** @description Default Response */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BaseError"];
                };
            };
        };
    };
    setModelPredictCallback: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description model */
                model_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PredictCallback"];
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["PredictCallback"];
                    };
                };
            };
            /** @description Default Response */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BaseError"];
                };
            };
            /** @description Default Response */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BaseError"];
                };
            };
        };
    };
    setModelPredictParameters: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description model */
                model_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PredictParameters"];
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["PredictParameters"];
                    };
                };
            };
            /** @description Default Response */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BaseError"];
                };
            };
            /** @description Default Response */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BaseError"];
                };
            };
        };
    };
    exportModelsWithId: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ExportRequest"];
            };
        };
        responses: {
            /** @description zip file with the models */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/zip": string;
                };
            };
            /** @description Default Response */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BaseError"];
                };
            };
            /** @description Default Response */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BaseError"];
                };
            };
            /** @description Default Response */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BaseError"];
                };
            };
        };
    };
    importModels: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": {
                    /**
                     * Format: binary
                     * @description zip file of an export
                     */
                    models: string;
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Model"][];
                    };
                };
            };
            /** @description Default Response */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BaseError"];
                };
            };
            /** @description Default Response */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BaseError"];
                };
            };
            /** @description Default Response */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BaseError"];
                };
            };
        };
    };
    getOverview: {
        parameters: {
            query?: {
                /** @description start of the reader’s day; absent: 24 hours ago */
                since?: string;
                /** @description one product, an inspection target; absent: all */
                target_id?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Overview"];
                    };
                };
            };
            /** @description Default Response */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BaseError"];
                };
            };
            /** @description Default Response */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BaseError"];
                };
            };
        };
    };
    getRetention: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["RetentionState"];
                    };
                };
            };
            /** @description Default Response */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BaseError"];
                };
            };
        };
    };
    setRetention: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RetentionSettingsChanges"];
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["RetentionState"];
                    };
                };
            };
            /** @description Default Response */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BaseError"];
                };
            };
            /** @description Default Response */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BaseError"];
                };
            };
        };
    };
    getHolds: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Hold"][];
                    };
                };
            };
            /** @description Default Response */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BaseError"];
                };
            };
        };
    };
    createHold: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewHold"];
            };
        };
        responses: {
            /** @description Default Response */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Hold"];
                    };
                };
            };
            /** @description Default Response */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BaseError"];
                };
            };
            /** @description Default Response */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BaseError"];
                };
            };
            /** @description Default Response */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BaseError"];
                };
            };
        };
    };
    deleteHold: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description hold */
                hold_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["DeletedHold"];
                    };
                };
            };
            /** @description Default Response */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BaseError"];
                };
            };
            /** @description Default Response */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BaseError"];
                };
            };
        };
    };
    previewRetention: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RetentionPreviewBody"];
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["RetentionPreview"];
                    };
                };
            };
            /** @description Default Response */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BaseError"];
                };
            };
            /** @description Default Response */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BaseError"];
                };
            };
            /** @description Default Response */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BaseError"];
                };
            };
        };
    };
    getRetentionRules: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["RetentionRule"][];
                    };
                };
            };
            /** @description Default Response */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BaseError"];
                };
            };
        };
    };
    createRetentionRule: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewRetentionRule"];
            };
        };
        responses: {
            /** @description Default Response */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["RetentionRule"];
                    };
                };
            };
            /** @description Default Response */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BaseError"];
                };
            };
            /** @description Default Response */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BaseError"];
                };
            };
        };
    };
    getRetentionRuleById: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description rule */
                retention_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["RetentionRule"];
                    };
                };
            };
            /** @description Default Response */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BaseError"];
                };
            };
            /** @description Default Response */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BaseError"];
                };
            };
        };
    };
    updateRetentionRule: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description rule */
                retention_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RetentionRuleChanges"];
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["RetentionRule"];
                    };
                };
            };
            /** @description Default Response */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BaseError"];
                };
            };
            /** @description Default Response */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BaseError"];
                };
            };
            /** @description Default Response */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BaseError"];
                };
            };
        };
    };
    deleteRetentionRule: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description rule */
                retention_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["DeletedRetentionRule"];
                    };
                };
            };
            /** @description Default Response */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BaseError"];
                };
            };
            /** @description Default Response */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BaseError"];
                };
            };
            /** @description Default Response */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BaseError"];
                };
            };
        };
    };
    getRetentionRuns: {
        parameters: {
            query?: {
                count?: number;
                page?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["RetentionRunPage"];
                    };
                };
            };
            /** @description Default Response */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BaseError"];
                };
            };
            /** @description Default Response */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BaseError"];
                };
            };
        };
    };
    startRetentionRun: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["RetentionRun"];
                    };
                };
            };
            /** @description Default Response */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BaseError"];
                };
            };
        };
    };
    getSession: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["PageSession"];
                    };
                };
            };
            /** @description Default Response */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BaseError"];
                };
            };
        };
    };
    signIn: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SignIn"];
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["PageSession"];
                    };
                };
            };
            /** @description Default Response */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BaseError"];
                };
            };
            /** @description Default Response */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BaseError"];
                };
            };
            /** @description Default Response */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BaseError"];
                };
            };
            /** @description Default Response */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BaseError"];
                };
            };
        };
    };
    signOut: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["SignedOut"];
                    };
                };
            };
            /** @description Default Response */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BaseError"];
                };
            };
            /** @description Default Response */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BaseError"];
                };
            };
        };
    };
    setOwnPassword: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OwnPassword"];
            };
        };
        responses: {
            /** @description sign in with the new password */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Default Response */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BaseError"];
                };
            };
            /** @description Default Response */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BaseError"];
                };
            };
            /** @description Default Response */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BaseError"];
                };
            };
        };
    };
    setOwnPin: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OwnPin"];
            };
        };
        responses: {
            /** @description done */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Default Response */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BaseError"];
                };
            };
            /** @description Default Response */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BaseError"];
                };
            };
            /** @description Default Response */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BaseError"];
                };
            };
        };
    };
    signInByPin: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PinSignIn"];
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["PageSession"];
                    };
                };
            };
            /** @description Default Response */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BaseError"];
                };
            };
            /** @description Default Response */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BaseError"];
                };
            };
            /** @description Default Response */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BaseError"];
                };
            };
            /** @description Default Response */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BaseError"];
                };
            };
        };
    };
    beginSingleSignOn: {
        parameters: {
            query?: {
                /** @description path of the page to come back to */
                return_to?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description to the provider, or back to the page with the error */
            302: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Default Response */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BaseError"];
                };
            };
        };
    };
    enableTerminal: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewTerminal"];
            };
        };
        responses: {
            /** @description done, with a cookie that names the terminal */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Default Response */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BaseError"];
                };
            };
            /** @description Default Response */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BaseError"];
                };
            };
            /** @description Default Response */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BaseError"];
                };
            };
        };
    };
    disableTerminal: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description done */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Default Response */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BaseError"];
                };
            };
            /** @description Default Response */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BaseError"];
                };
            };
        };
    };
    getStations: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Station"][];
                    };
                };
            };
            /** @description Default Response */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BaseError"];
                };
            };
        };
    };
    createStation: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewStation"];
            };
        };
        responses: {
            /** @description Default Response */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Station"];
                    };
                };
            };
            /** @description Default Response */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BaseError"];
                };
            };
            /** @description Default Response */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BaseError"];
                };
            };
        };
    };
    getStationById: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description station */
                station_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Station"];
                    };
                };
            };
            /** @description Default Response */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BaseError"];
                };
            };
            /** @description Default Response */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BaseError"];
                };
            };
        };
    };
    updateStation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description station */
                station_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["StationChanges"];
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Station"];
                    };
                };
            };
            /** @description Default Response */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BaseError"];
                };
            };
            /** @description Default Response */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BaseError"];
                };
            };
            /** @description Default Response */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BaseError"];
                };
            };
        };
    };
    deleteStation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description station */
                station_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["DeletedStation"];
                    };
                };
            };
            /** @description Default Response */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BaseError"];
                };
            };
            /** @description Default Response */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BaseError"];
                };
            };
        };
    };
    getStationDeliveries: {
        parameters: {
            query?: {
                count?: number;
                page?: number;
            };
            header?: never;
            path: {
                /** @description station */
                station_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["StationDeliveries"];
                    };
                };
            };
            /** @description Default Response */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BaseError"];
                };
            };
            /** @description Default Response */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BaseError"];
                };
            };
            /** @description Default Response */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BaseError"];
                };
            };
        };
    };
    renewFtpLogin: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description station */
                station_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["FtpLogin"];
                    };
                };
            };
            /** @description Default Response */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BaseError"];
                };
            };
            /** @description Default Response */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BaseError"];
                };
            };
            /** @description Default Response */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BaseError"];
                };
            };
        };
    };
    inspectAtStation: {
        parameters: {
            query?: {
                /** @description from the arrival of the request; then the answer is 202 */
                timeout_ms?: number;
            };
            header?: never;
            path: {
                /** @description station */
                station_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": {
                    /** @description ext: JSON object of up to 16 texts, such as {"shift":"2"} */
                    fields?: string;
                    /** @description JPEG, PNG, WebP, TIFF or BMP */
                    files: string[];
                    /** @description ext: all files become images of one item of this name */
                    item_name?: string;
                    /** @description ext: lot that the product is of */
                    lot?: string;
                    /** @description ext: serial number of the product */
                    serial?: string;
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Item"];
                    };
                };
            };
            /** @description Default Response */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["ItemInWork"];
                    };
                };
            };
            /** @description Default Response */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BaseError"];
                };
            };
            /** @description Default Response */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BaseError"];
                };
            };
            /** @description Default Response */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BaseError"];
                };
            };
            /** @description Default Response */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BaseError"];
                };
            };
            /** @description Default Response */
            425: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BaseError"];
                };
            };
            /** @description Default Response */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BaseError"];
                };
            };
        };
    };
    setStationModel: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description station */
                station_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["StationModel"];
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Station"];
                    };
                };
            };
            /** @description Default Response */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BaseError"];
                };
            };
            /** @description Default Response */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BaseError"];
                };
            };
            /** @description Default Response */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BaseError"];
                };
            };
        };
    };
    previewStation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description station */
                station_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description the newest image of the camera */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "image/jpeg": string;
                };
            };
            /** @description Default Response */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BaseError"];
                };
            };
            /** @description Default Response */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BaseError"];
                };
            };
            /** @description Default Response */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BaseError"];
                };
            };
        };
    };
    triggerStation: {
        parameters: {
            query?: {
                /** @description from the arrival of the request; then the answer is 202 */
                timeout_ms?: number;
            };
            header?: never;
            path: {
                /** @description station */
                station_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["StationTrigger"] | null;
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Item"];
                    };
                };
            };
            /** @description Default Response */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["ItemInWork"];
                    };
                };
            };
            /** @description Default Response */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BaseError"];
                };
            };
            /** @description Default Response */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BaseError"];
                };
            };
            /** @description Default Response */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BaseError"];
                };
            };
            /** @description Default Response */
            425: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BaseError"];
                };
            };
            /** @description Default Response */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BaseError"];
                };
            };
        };
    };
    testStation: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["StationTest"];
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["StationTestResult"];
                    };
                };
            };
            /** @description Default Response */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BaseError"];
                };
            };
            /** @description Default Response */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BaseError"];
                };
            };
            /** @description Default Response */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BaseError"];
                };
            };
        };
    };
    getStatus: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["ServerStatus"];
                    };
                };
            };
            /** @description Default Response */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BaseError"];
                };
            };
        };
    };
    getInspectionTargets: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["InspectionTarget"][];
                    };
                };
            };
            /** @description Default Response */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BaseError"];
                };
            };
        };
    };
    createInspectionTarget: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewTarget"];
            };
        };
        responses: {
            /** @description Default Response */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["InspectionTarget"];
                    };
                };
            };
            /** @description Default Response */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BaseError"];
                };
            };
            /** @description Default Response */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BaseError"];
                };
            };
        };
    };
    getInspectionTargetById: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description inspection target */
                target_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["InspectionTarget"];
                    };
                };
            };
            /** @description Default Response */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BaseError"];
                };
            };
            /** @description Default Response */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BaseError"];
                };
            };
        };
    };
    updateInspectionTarget: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description inspection target */
                target_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TargetChanges"];
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["InspectionTarget"];
                    };
                };
            };
            /** @description Default Response */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BaseError"];
                };
            };
            /** @description Default Response */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BaseError"];
                };
            };
            /** @description Default Response */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BaseError"];
                };
            };
        };
    };
    setInspectionTargetById: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description inspection target */
                target_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["InspectionTarget"];
                    };
                };
            };
            /** @description Default Response */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BaseError"];
                };
            };
            /** @description Default Response */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BaseError"];
                };
            };
        };
    };
    deleteInspectionTarget: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description inspection target */
                target_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["DeletedTarget"];
                    };
                };
            };
            /** @description Default Response */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BaseError"];
                };
            };
            /** @description Default Response */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BaseError"];
                };
            };
            /** @description Default Response */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BaseError"];
                };
            };
        };
    };
    previewInspectionTarget: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description inspection target */
                target_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PreviewRequest"];
                "multipart/form-data": {
                    /**
                     * Format: binary
                     * @description the image file that goes through the steps
                     */
                    image: string;
                    /** @description steps to try, as JSON; absent: those of the target */
                    preprocessing?: string;
                };
            };
        };
        responses: {
            /** @description the image after the steps */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "image/webp": string;
                };
            };
            /** @description Default Response */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BaseError"];
                };
            };
            /** @description Default Response */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BaseError"];
                };
            };
            /** @description Default Response */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BaseError"];
                };
            };
        };
    };
    getModelResults: {
        parameters: {
            query?: {
                model_ids?: string[];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description CSV, RFC 4180, one row per item image and model */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": string;
                };
            };
            /** @description Default Response */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BaseError"];
                };
            };
            /** @description Default Response */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BaseError"];
                };
            };
            /** @description Default Response */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BaseError"];
                };
            };
        };
    };
    getPreprocessingSteps: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["PreprocessingStepInfo"][];
                    };
                };
            };
            /** @description Default Response */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BaseError"];
                };
            };
        };
    };
    getTerminals: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Terminal"][];
                    };
                };
            };
            /** @description Default Response */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BaseError"];
                };
            };
        };
    };
    endTerminal: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description terminal */
                terminal_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description done */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Default Response */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BaseError"];
                };
            };
            /** @description Default Response */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BaseError"];
                };
            };
        };
    };
    getUsers: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["User"][];
                    };
                };
            };
            /** @description Default Response */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BaseError"];
                };
            };
        };
    };
    addUser: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewUser"];
            };
        };
        responses: {
            /** @description Default Response */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["User"];
                    };
                };
            };
            /** @description Default Response */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BaseError"];
                };
            };
            /** @description Default Response */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BaseError"];
                };
            };
        };
    };
    changeUser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description person */
                user_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UserChange"];
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["User"];
                    };
                };
            };
            /** @description Default Response */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BaseError"];
                };
            };
            /** @description Default Response */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BaseError"];
                };
            };
            /** @description Default Response */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BaseError"];
                };
            };
            /** @description Default Response */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BaseError"];
                };
            };
        };
    };
    setLicense: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": {
                    /** @description text of the license */
                    license_data: string;
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["LicenseResponse"];
                    };
                };
            };
            /** @description Default Response */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BaseError"];
                };
            };
            /** @description Default Response */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BaseError"];
                };
            };
        };
    };
    getLogs: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description zip file */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": string;
                };
            };
            /** @description Default Response */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BaseError"];
                };
            };
        };
    };
    getHashId: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["LicenseHashResponse"];
                    };
                };
            };
            /** @description Default Response */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BaseError"];
                };
            };
        };
    };
    healthz: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        status: string;
                    };
                };
            };
        };
    };
    readyz: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServerReadiness"];
                };
            };
            /** @description Default Response */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        status: string;
                    };
                };
            };
        };
    };
}
